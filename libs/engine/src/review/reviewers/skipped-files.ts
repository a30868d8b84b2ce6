import type { Change, ReviewAnswer, Reviewer } from "@anneal/adapters";
import { accounted, outlineOf } from "@anneal/core/unseen";
import type { ChangedFile, CompleteReport, Coverage, Finding } from "@anneal/types";

const LONGEST_REASON = 200;

/**
 * The same reviewer, whose reports that came to nothing say so of every file of the change: nobody reviewed it, and why.
 * A report that is complete counts no file as seen that nobody can have seen, and tells of characters that hide code.
 */
export function withSkippedFiles(reviewer: Reviewer, waived: () => Promise<readonly string[]>): Reviewer {
  return {
    ...reviewer,
    async review(change, signal, onProgress) {
      const answer = await reviewer.review(change, signal, onProgress);
      const { report, coverage } = answer;
      if (report.status === "inconclusive")
        return { ...answer, coverage: await unseen(change, coverage, report.reason) };
      return await seen(answer, report, change, waived);
    },
  };
}

async function seen(
  answer: ReviewAnswer,
  report: CompleteReport,
  change: Change,
  waived: () => Promise<readonly string[]>,
): Promise<ReviewAnswer> {
  const { hiddenCharactersIn } = await import("@anneal/adapters/builtin/hidden-characters");
  const files: ChangedFile[] = [];
  const hidden: Finding[] = [];
  for await (const file of change.files()) {
    files.push(outlineOf(file));
    hidden.push(...(await hiddenCharactersIn(file, change)));
  }
  const atHead = async () => (await change.whole?.files()) ?? [];
  const coverage = await accounted(answer.coverage, {
    files,
    atHead,
    content: (blob) => change.content(blob),
    waived,
  });
  const told = report.findings.filter(({ rule }) => rule === "hidden-character").map(placeOf);
  const untold = hidden.filter((one) => !told.includes(placeOf(one)));
  return { ...answer, coverage, report: { ...report, findings: [...report.findings, ...untold] } };
}

function placeOf({ file, line }: Finding): string {
  return `${file}:${line}`;
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
