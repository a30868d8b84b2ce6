import type { Change, Reviewer } from "@anneal/adapters";
import type { Coverage } from "@anneal/types";

const LONGEST_REASON = 200;

/** The same reviewer, whose inconclusive reports say so of every file of the change: nobody reviewed it, and why. */
export function withSkippedFiles(reviewer: Reviewer): Reviewer {
  return {
    ...reviewer,
    async review(change, signal, onProgress) {
      const answer = await reviewer.review(change, signal, onProgress);
      if (answer.report.status !== "inconclusive") return answer;
      return { ...answer, coverage: await unseen(change, answer.coverage, answer.report.reason) };
    },
  };
}

/** A reason that a file has of its own, such as being binary, stays. */
async function unseen(change: Change, { skipped }: Coverage, reason: string): Promise<Coverage> {
  const own = new Map(skipped.map((one) => [one.file, one.reason]));
  const [line = ""] = reason.split("\n");
  const why = `no report: ${line.length <= LONGEST_REASON ? line : `${line.slice(0, LONGEST_REASON - 1)}…`}`;
  const all: Coverage["skipped"] = [];
  for await (const { path, skipped: unreadable } of change.files())
    all.push({ file: path, reason: own.get(path) ?? unreadable ?? why });
  return { reviewed: [], skipped: all };
}
