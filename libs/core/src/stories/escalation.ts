import type { LoopState, SignalName, Story, WaitReason } from "@anneal/types";
import { roundsDone } from "../loop/rounds.ts";
import { oneLine } from "../text/text.ts";
import { findingsDocumentPath } from "../write/findings-document.ts";
import { type Counts, countFindings, openNow } from "./counts.ts";
import { waitingPath } from "./findings-files.ts";

/** One answer that a person may give when the rounds of a story are used up. */
export interface EscalationChoice {
  key: "a" | "b" | "c";
  signal: SignalName;
  text: string;
}

/** What a person is asked, as the seed writes it, and what the answers mean. */
export interface Escalation {
  /** The whole block; it ends where the answer is typed. */
  text: string;
  choices: EscalationChoice[];
  counts: Counts;
  /** Where the last findings document will stand once the story is finalised, and where it waits until then. */
  document: string;
  waitsAt: string;
}

/** Seed 003's three answers, in its words. */
export const CHOICES: readonly EscalationChoice[] = [
  { key: "a", signal: "take-over", text: "Manual review and fix (pause autonomous workflow)" },
  { key: "b", signal: "accept", text: "Accept findings and mark story complete (not recommended)" },
  { key: "c", signal: "one-more", text: "Continue with 1 more review round (override limit)" },
];

/** Only these are about findings; a cap or a break has other ways on. */
const FINDINGS_LEFT: readonly WaitReason[] = ["rounds-exhausted", "stalled", "oscillating"];

/** The question of seed 003 when findings are left, or null where the story does not wait for that answer. */
export function escalation({ id }: Pick<Story, "id">, state: LoopState): Escalation | null {
  if (state.stage !== "waiting-for-human" || state.rounds.length === 0) return null;
  const { options, reason, detail } = state;
  if (!FINDINGS_LEFT.includes(reason) || !options.includes("accept")) return null;
  const choices = CHOICES.filter(({ signal }) => options.includes(signal));
  const round = roundsDone(state);
  const counts = countFindings(openNow(state));
  const document = findingsDocumentPath(id, round);
  // Stalls and circles mostly come before the limit, and the seed's words would not say why.
  const stopped = round < (state.rounds.at(-1)?.lastAllowed ?? round) ? "Stopped before the limit" : "Stopped";
  const early = reason === "rounds-exhausted" ? [] : [`${stopped}: ${oneLine(detail)}`, ""];
  const text = [
    `⚠️ Story ${id} Review Blocked`,
    "",
    `After ${round} review ${round === 1 ? "round" : "rounds"}, issues remain:`,
    `- Critical: ${counts.critical}`,
    `- Important: ${counts.important}`,
    `- Minor: ${counts.minor}`,
    "",
    ...early,
    `Findings document: ${document}`,
    "",
    "Options:",
    ...choices.map((choice) => `${choice.key}) ${choice.text}`),
    "",
    "Your choice:",
  ].join("\n");
  return { text, choices, counts, document, waitsAt: waitingPath(id, round) };
}

/** The signal behind what a person typed, such as `b` or `(B)`; null where it is no choice that is offered. */
export function choose({ choices }: Pick<Escalation, "choices">, answer: string): SignalName | null {
  const key = /^\s*\(?([a-z])[).]?\s*$/iu.exec(answer)?.[1]?.toLowerCase();
  return choices.find((choice) => choice.key === key)?.signal ?? null;
}
