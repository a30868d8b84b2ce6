import type { LoopState, Policy, TrackedFinding } from "@anneal/types";
import { blocks } from "../findings/blocking.ts";
import { roundsDone } from "./rounds.ts";

/**
 * Why the loop is going round in circles, with the location named, or null.
 * Either a blocking finding came back after it was resolved, or over two rounds the fixes made more than they resolved.
 */
export function oscillation(policy: Policy, state: LoopState): string | null {
  const { findings, rounds } = state;
  const round = roundsDone(state);
  const back = findings.find(
    (entry) =>
      entry.lifecycle === "regressed" &&
      entry.lastRound === round &&
      entry.disposition.kind === "open" &&
      blocks(policy.pass, entry.finding),
  );
  if (back !== undefined) return `"${back.finding.title}" in ${place(back)} came back after it was resolved`;
  if (rounds.length < 3) return null;
  const grave = findings.filter((entry) => blocks(policy.pass, entry.finding));
  const made = grave.filter((entry) => entry.origin.kind === "fix" && entry.firstRound >= round - 1);
  const resolved = grave.filter((entry) => entry.disposition.kind === "fixed" && entry.lastRound >= round - 2);
  const [first] = made;
  if (first === undefined || made.length <= resolved.length) return null;
  return `over two rounds the fixes caused ${made.length} findings and resolved ${resolved.length}, around ${place(first)}`;
}

function place({ finding }: TrackedFinding): string {
  if (finding.file === undefined) return "the whole change";
  return finding.line === undefined ? finding.file : `${finding.file}:${finding.line}`;
}
