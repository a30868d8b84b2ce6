import type { CompleteReport, Finding } from "@anneal/types";
import { answerKey, sourceOf } from "../loop/request-source.ts";
import { sanitise } from "../text/sanitise.ts";
import { block } from "../text/text.ts";
import { cut, defused, headline } from "./words-of-others.ts";

/** Something to say on a pull request; its key makes sure that it is said once. */
export interface PullRequestReply {
  key: string;
  body: string;
  /** The comment that it answers; without it, the answer goes to the whole. */
  inReplyTo?: number;
}

/** What became of a request. */
export type Reckoning =
  | { kind: "addressed"; head: string }
  | { kind: "refuted"; evidence: string }
  | { kind: "open"; head: string };

/** Answers to the people behind a report's findings; `became` gives null where there is nothing to say yet. */
export function repliesTo(report: CompleteReport, became: (finding: Finding) => Reckoning | null): PullRequestReply[] {
  return report.findings.flatMap((finding) => {
    const source = sourceOf(finding.rule);
    const reckoning = source === null || source.of === "check" ? null : became(finding);
    if (source === null || reckoning === null || finding.rule === undefined) return [];
    // Only threads show what an answer belongs to; elsewhere it has to say so itself.
    const quote = source.of === "line" ? "" : `> ${defused(sanitise(headline(finding.description)))}\n\n`;
    const reply = { key: answerKey(finding.rule), body: `${quote}${sentence(reckoning)}` };
    return [source.of === "review" ? reply : { ...reply, inReplyTo: source.id }];
  });
}

function sentence(reckoning: Reckoning): string {
  switch (reckoning.kind) {
    case "addressed":
      return `Addressed in ${reckoning.head.slice(0, 12)}.`;
    case "refuted":
      return `Left as it is: ${defused(sanitise(cut(block(reckoning.evidence), 2_000)))}`;
    case "open":
      return `Worked on in ${reckoning.head.slice(0, 12)}, but not settled: a person has to decide this.`;
  }
}
