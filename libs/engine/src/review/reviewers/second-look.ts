import type { AgentRun, QuestionAgent, ReviewAnswer, Reviewer } from "@anneal/adapters";
import { blocks } from "@anneal/core";
import { readSecondLook, secondLookSchema, totalUsage } from "@anneal/core/review";
import { asOneText, secondLookPrompt, withFreshNonce } from "@anneal/prompts";
import type { Policy, Report } from "@anneal/types";
import { errorMessage } from "@anneal/types/unknown";
import { newNonce } from "../nonce.ts";

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
      if (words === undefined || !passes(policy, report)) return answer;
      onProgress?.(`${by.name} checks that the answer approves without reservation`);
      const prompt = asOneText(withFreshNonce(newNonce, (nonce) => secondLookPrompt({ nonce, answer: words })));
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
    },
  };
}

/** A rejection that the policy lets pass for its mild findings never approves: nobody has to be asked. */
function passes({ pass }: Policy, report: Report): boolean {
  return (
    report.status === "complete" && report.claim !== "fail" && !report.findings.some((finding) => blocks(pass, finding))
  );
}

function looked(report: Report, look: ReturnType<typeof readSecondLook>, name: string): Report {
  if (report.status === "inconclusive") return report;
  if ("unreadable" in look)
    return {
      status: "inconclusive",
      reason: `The review passes by its form, but ${name} could not tell whether it approves without reservation: ${look.unreadable}`,
    };
  if (look.reservation !== null)
    return {
      status: "inconclusive",
      reason: `The review passes by its form, but ${name} reads a reservation in it${quoted(look.reservation)}.`,
    };
  return { ...report, notes: [...report.notes, `${name} read the answer again: it approves without reservation.`] };
}

function quoted(words: string): string {
  return words === "" ? "" : `: "${words.length > 200 ? `${words.slice(0, 200)}…` : words}"`;
}
