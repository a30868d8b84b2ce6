import type { AgentRun, QuestionAgent, ReviewAnswer, Reviewer } from "@anneal/adapters";
import { atLeast, lacksSignOff, passesAlone } from "@anneal/core";
import { readSecondLook, secondLookSchema, totalUsage } from "@anneal/core/review";
import { asOneText, secondLookPrompt, withFreshNonce } from "@anneal/prompts";
import type { CompleteReport, Policy, Report } from "@anneal/types";
import { errorMessage } from "@anneal/types/unknown";
import { newNonce } from "../nonce.ts";
import { withSnippets } from "../snippets.ts";
import { watched } from "../watched.ts";
import type { ReviewBrief } from "./review-brief.ts";

/**
 * A reviewer whose passing answers are read once more, by an agent that sees nothing else and says whether they approve
 * without reservation. Its no, and its silence, leave no verdict.
 */
export function secondLookReviewer(
  reviewer: Reviewer,
  policy: Policy,
  by: QuestionAgent | undefined = reviewer.questionAgent,
): Reviewer {
  if (by === undefined) return reviewer;
  return {
    ...reviewer,
    async review(change, signal, onProgress): Promise<ReviewAnswer> {
      const answer = await reviewer.review(change, signal, onProgress);
      const { report, words } = answer;
      if (words === undefined || report.status === "inconclusive" || !passesAlone(policy.pass, report)) return answer;
      onProgress?.(`${by.name} checks that the answer approves without reservation`);
      return await readAgain(answer, { words, report, by, setAside: [] }, signal);
    },
  };
}

/** An agent's answer that does not pass by itself is marked: who rules on its findings rules on nothing else in it. */
export function unsignedReviewer(reviewer: Reviewer, { pass }: Policy): Reviewer {
  return {
    ...reviewer,
    async review(change, signal, onProgress): Promise<ReviewAnswer> {
      const answer = await reviewer.review(change, signal, onProgress);
      const { report, words } = answer;
      if (words === undefined || report.status === "inconclusive" || passesAlone(pass, report)) return answer;
      return { ...answer, report: { ...report, signedOff: false } };
    },
  };
}

/** Where people or a verifying agent have ruled on all that blocks, the rest of the answer is read like one that passes. */
export function setAsideReviewer(
  reviewer: Reviewer,
  policy: Policy,
  { earlierFindings, round }: Pick<ReviewBrief, "earlierFindings" | "round">,
  by: QuestionAgent | undefined = reviewer.questionAgent,
): Reviewer {
  if (by === undefined) return reviewer;
  return {
    ...reviewer,
    async review(change, signal, onProgress): Promise<ReviewAnswer> {
      const seen = watched(change);
      const answer = await reviewer.review(seen, signal, onProgress);
      const { report, words } = answer;
      if (words === undefined || report.status === "inconclusive" || report.signedOff !== false) return answer;
      const located = { ...report, findings: await withSnippets(report.findings, seen) };
      const requirementsJudged = reviewer.requirements === "judged";
      if (!lacksSignOff(policy, earlierFindings, located, { round, requirementsJudged })) return answer;
      onProgress?.(`${by.name} checks that the answer approves all but the findings that were set aside`);
      const grave = report.findings.filter(({ severity }) => atLeast(severity, policy.pass.blocksAt));
      const setAside = grave.map(({ title, file }) => (file === undefined ? title : `${title} (${file})`));
      return await readAgain(answer, { words, report, by, setAside }, signal);
    },
  };
}

interface Read {
  words: string;
  report: CompleteReport;
  by: QuestionAgent;
  setAside: readonly string[];
}

async function readAgain(
  answer: ReviewAnswer,
  { words, report, by, setAside }: Read,
  signal: AbortSignal,
): Promise<ReviewAnswer> {
  const prompt = asOneText(withFreshNonce(newNonce, (nonce) => secondLookPrompt({ nonce, answer: words, setAside })));
  const run = await by
    .ask({ prompt, schema: secondLookSchema, again: "approval" }, signal)
    .catch((error: unknown): AgentRun => ({ status: "failed", text: "", error: errorMessage(error), usage: {} }));
  signal.throwIfAborted();
  const look =
    run.status === "finished"
      ? readSecondLook({ ...run, finished: true })
      : { unreadable: run.error ?? `the agent ${run.status}` };
  return {
    ...answer,
    report: looked(report, look, by.name),
    usage: totalUsage([answer.usage, run.usage]),
    prompt: [answer.prompt, `===== asked whether the answer approves without reservation =====\n\n${prompt}`]
      .filter((part) => part !== undefined)
      .join("\n\n"),
    ...(run.lasting === true ? { lasting: true as const } : {}),
  };
}

function looked(
  { signedOff, ...report }: CompleteReport,
  look: ReturnType<typeof readSecondLook>,
  name: string,
): Report {
  const seems = signedOff === false ? "Nothing that counts blocks" : "The review passes by its form";
  if ("unreadable" in look)
    return {
      status: "inconclusive",
      reason: `${seems}, but ${name} could not tell whether it approves without reservation: ${look.unreadable}`,
    };
  if (look.reservation !== null)
    return {
      status: "inconclusive",
      reason: `${seems}, but ${name} reads a reservation in it${quoted(look.reservation)}.`,
    };
  const rest = signedOff === false ? ", apart from the findings that were set aside" : "";
  const note = `${name} read the answer again: it approves without reservation${rest}.`;
  return { ...report, notes: [...report.notes, note] };
}

function quoted(words: string): string {
  return words === "" ? "" : `: "${words.length > 200 ? `${words.slice(0, 200)}…` : words}"`;
}
