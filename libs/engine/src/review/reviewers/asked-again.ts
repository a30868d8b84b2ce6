import type { AgentRequest, AgentRun } from "@anneal/adapters";
import { approves, awaitsRuling, blocks, unruledBy } from "@anneal/core";
import { type AnswerSchema, letsPass, readRulings, rulingsSchema } from "@anneal/core/review";
import { asOneText, repairPrompt, rulingsPrompt, withFreshNonce, withRepair } from "@anneal/prompts";
import type { CompleteReport, Policy, Report } from "@anneal/types";
import { newNonce } from "../nonce.ts";
import { withSnippets } from "../snippets.ts";
import type { Watched } from "../watched.ts";
import { wordsOf } from "../words-of.ts";
import { codeAround, textOf } from "./finding-code.ts";
import type { ReviewBrief } from "./review-brief.ts";

/** A second request to the same reviewer, and its result. */
export interface AskedAgain {
  about: string;
  prompt: string;
  run: AgentRun;
}

export interface AskedReview {
  report: Report;
  again?: AskedAgain;
}

/** Asks the reviewer, in the same copy and turn. */
export type Ask = (prompt: string, again: AgentRequest["again"], schema?: AnswerSchema) => Promise<AgentRun>;

export interface ReviewTerms {
  policy: Policy;
  brief: ReviewBrief;
  ask: Ask;
}

const LONGEST_ANSWER = 200_000;

/** An answer whose form is all that is wrong with it is asked for once more, with everything that is wrong. */
export async function withRepairedForm(
  { policy, brief, ask }: ReviewTerms,
  first: { prompt: string; run: AgentRun; report: Report },
  read: (run: AgentRun) => Report,
): Promise<AskedReview> {
  const { report, run } = first;
  if (report.status !== "inconclusive" || report.problems === undefined || run.status !== "finished") return { report };
  const answer = run.structured === undefined ? run.text : JSON.stringify(run.structured, null, 2);
  if (answer.trim() === "" || answer.length > LONGEST_ANSWER) return { report };
  const { contract, sees } = policy.reviewer;
  const { problems } = report;
  const asked = sees.includes("earlier-findings") && brief.earlierFindings.some(awaitsRuling);
  const rulings = asked ? "asked" : "not-asked";
  const repair = withFreshNonce(newNonce, (nonce) => repairPrompt({ nonce, contract, problems, answer, rulings }));
  const prompt = withRepair(first.prompt, repair);
  const second = await ask(prompt, "form");
  const again = { about: "its form", prompt, run: second };
  const given = read(second);
  if (given.status === "inconclusive")
    return { report: { ...report, reason: `${report.reason} Asked to correct it: ${given.reason}` }, again };
  const passes = approves(policy.pass, given) && !given.findings.some((finding) => blocks(policy.pass, finding));
  const said = run.structured === undefined ? run.text : `${run.text}\n${answer}`;
  if (passes && !letsPass(policy, said, given.findings.length)) {
    const reason = `${report.reason} The corrected answer passes, but the first one did not clearly pass: neither counts`;
    return { report: { status: "inconclusive", reason }, again };
  }
  const note = `The first answer had the wrong format, and the reviewer gave it again: ${problems.join(" ")}`;
  return { report: { ...given, notes: [...given.notes, note] }, again };
}

/** A reviewer that lets a change through and says nothing of earlier findings is asked once more, for those rulings alone. */
export async function withAskedRulings(
  { policy, brief, ask }: ReviewTerms,
  report: CompleteReport,
  change: Watched,
  requirements: "judged" | "not-judged",
): Promise<AskedReview> {
  const { earlierFindings, round, workItem } = brief;
  if (earlierFindings.length === 0) return { report };
  const located = { ...report, findings: await withSnippets(report.findings, change) };
  const asked = unruledBy(policy, earlierFindings, located, { round, requirementsJudged: requirements === "judged" });
  if (asked.length === 0) return { report };
  const findings = await Promise.all(
    asked.map(async (entry) => ({ entry, code: codeAround(entry.finding, await textOf(entry.finding, change)) })),
  );
  const { base, head } = change.bounds;
  const about = { workItem, base, head, summary: report.summary, findings, words: wordsOf(policy) };
  const prompt = asOneText(withFreshNonce(newNonce, (nonce) => rulingsPrompt({ nonce, ...about })));
  const run = await ask(prompt, "rulings", rulingsSchema);
  const rulings =
    run.status === "finished"
      ? readRulings({ ...run, finished: true }, asked)
      : { unreadable: run.error ?? `the agent ${run.status}` };
  const many = asked.length === 1 ? "an earlier finding" : `${asked.length} earlier findings`;
  const came = "unreadable" in rulings ? rulings.unreadable : `it ruled on ${rulings.length}.`;
  const note = `Asked again for a ruling on ${many}: ${came}`;
  return {
    report: {
      ...report,
      rulings: [...report.rulings, ...("unreadable" in rulings ? [] : rulings)],
      notes: [...report.notes, note],
    },
    again: { about: "earlier findings", prompt, run },
  };
}
