import type { BoundChecks } from "@anneal/types";
import type { PrepareRequest } from "./kind.ts";
import type { LoopTerms } from "./prepare.ts";

type Settings = LoopTerms["settings"];

/** What checks a loop: what it was begun with, whatever the settings say since; for a new one, what they say now. */
export function checksFor(before: PrepareRequest["before"], settings: Settings): BoundChecks {
  return ("state" in before ? before.state.checks : undefined) ?? checksIn(settings);
}

/** The settings with the checks that a loop is bound to. */
export function checkedBy(
  { testCommand, testTimeoutMs }: BoundChecks,
  { testCommand: _, testTimeoutMs: __, ...settings }: Settings,
): Settings {
  const command = testCommand === null ? {} : { testCommand };
  return { ...settings, ...command, ...(testTimeoutMs === undefined ? {} : { testTimeoutMs }) };
}

function checksIn({ testCommand, testTimeoutMs }: Settings): BoundChecks {
  return { testCommand: testCommand ?? null, ...(testTimeoutMs === undefined ? {} : { testTimeoutMs }) };
}

/** What a person has to know whose settings are not those of the loop; null where they are. */
export function changedSince(bound: BoundChecks, settings: Settings): string | null {
  return isSame(bound, checksIn(settings)) ? null : otherChecks(bound);
}

function isSame(one: BoundChecks, other: BoundChecks): boolean {
  const asText = ({ testCommand, testTimeoutMs }: BoundChecks) => JSON.stringify([testCommand, testTimeoutMs]);
  return asText(one) === asText(other);
}

function otherChecks({ testCommand }: BoundChecks): string {
  const line = Array.isArray(testCommand) ? testCommand.join(" ") : testCommand;
  const began = line === null ? "without a test command" : `with the test command \`${line}\``;
  return `the open loop continues ${began}, as it began; the changed settings apply to new loops`;
}
