import { resolve } from "node:path";
import type { LoadedSettings } from "@anneal/adapters/files";
import type { ItemRef } from "@anneal/types";
import type { Cast } from "../assemble.ts";
import { anchoredWords, commandText, wordsOf } from "../cast/command-words.ts";
import { parseName } from "../cast/named.ts";
import { membersOf } from "../cast/reviewers.ts";
import { UsageError } from "../errors/errors.ts";
import { shellWord } from "../errors/shell-word.ts";
import { keyOf } from "../history/item-key.ts";
import type { PrepareRequest } from "./kind.ts";

export const PARTS = ["implementer", "reviewer", "fixer"] as const satisfies (keyof Cast)[];

/** Agents and reviewers that are named with a file. */
const WITH_FILE = ["scripted", "replay", "sarif"];
/** Those that are named with a program. */
const WITH_PROGRAM = ["acp", "command"];

/** Makes the files in the names of agents mean the same wherever the loop goes on. */
export function anchored(named: string, folder: string): string {
  return membersOf(named, {})
    .map((member) => {
      const { name, argument = scriptOfEnvironment(name) } = parseName(member);
      if (argument === undefined) return member;
      if (WITH_FILE.includes(name)) return `${name}:${resolve(folder, argument)}`;
      return WITH_PROGRAM.includes(name) ? `${name}:${commandText(anchoredWords(wordsOf(argument), folder))}` : member;
    })
    .join("+");
}

/** The script of an agent that is named without one. The process in which its loop goes on may have another environment. */
function scriptOfEnvironment(name: string): string | undefined {
  const file = process.env.ANNEAL_SCRIPT;
  return name === "scripted" && file ? resolve(file) : undefined;
}

/** The agents that the settings name, the project's over the global ones. */
export function castOfSettings({ project, global }: LoadedSettings, root: string): Partial<Cast> {
  const named = { ...global.agents, ...project.agents };
  const entries = PARTS.flatMap((part) => {
    const name = named[part];
    return name === undefined ? [] : [[part, anchored(name, root)]];
  });
  return Object.fromEntries(entries);
}

/** Who plays in one loop: what this run names, over what the loop is bound to, over the settings. */
export function castFor(
  chosen: Partial<Cast>,
  bound: Readonly<Record<string, string>> | undefined,
  settings: Partial<Cast>,
): Cast {
  const cast = { ...settings, ...bound, ...chosen };
  const { implementer, reviewer, fixer } = cast;
  if (implementer !== undefined && reviewer !== undefined && fixer !== undefined)
    return { implementer, reviewer, fixer };
  const missing = PARTS.filter((part) => cast[part] === undefined).join(", ");
  throw new UsageError(
    `no agent is set for: ${missing}. Name them with --agent (or --implementer, --reviewer, --fixer), or once for the project in .automaker/settings.json as "agents": {"implementer": "…", "reviewer": "…", "fixer": "…"}`,
  );
}

/** The parts that a run gives to others than those that the loop is bound to, and to whom. */
export function insteadOf(bound: Readonly<Record<string, string>>, cast: Cast): Partial<Cast> {
  return Object.fromEntries(PARTS.flatMap((part) => (bound[part] === cast[part] ? [] : [[part, cast[part]]])));
}

/** A loop whose own agents are not to be had stays as it is: only a person names others for it. */
export async function ownCast<T>(
  making: Promise<T>,
  { overrides, before }: Pick<PrepareRequest, "overrides" | "before">,
  item: ItemRef,
): Promise<T> {
  return await making.catch((cause: unknown) => {
    const isNamed = Object.keys(overrides.cast ?? {}).length > 0;
    if (!("started" in before) || isNamed || !(cause instanceof UsageError)) throw cause;
    const others = `anneal run ${shellWord(keyOf(item))} --reviewer NAME (--implementer, --fixer) continues it with another agent`;
    throw new UsageError(`${cause.message}; the loop waits until this is fixed, or ${others}`, { cause });
  });
}
