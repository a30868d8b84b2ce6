import { rm } from "node:fs/promises";
import type { Repo, Snapshot } from "@anneal/git";
import { endLeftovers } from "@anneal/system/processes/leftovers";
import { ownTemporary } from "@anneal/system/processes/temporary";
import { errorMessage } from "@anneal/types/unknown";
import { forgetCopy, noteCopy } from "@anneal/workspace/reading/reading-copies";
import type { CopiedChange } from "@anneal/workspace/reading-copy";
import type { ReviewAnswer } from "../ports.ts";

export type { CopiedChange } from "@anneal/workspace/reading-copy";

/** Provides a copy at a commit. */
export interface CopyLender {
  /** Where that is a repository of its own, which takes a base, `shown` says what the change is in there. */
  lend<T>(head: string, work: (repo: Repo, shown?: CopiedChange) => Promise<T>, base?: string): Promise<T>;
  /** The repository of whoever asks for reviews, from which copies are made. */
  source?: Repo;
}

/** Who reads, and at which head. */
interface Reader {
  name: string;
  head: string;
  base?: string;
}

/** The one way in which agents that judge come to a tree: whoever changed something there has given no answer. */
export interface TamperGuard {
  read(reader: Reader, work: (repo: Repo, shown?: CopiedChange) => Promise<ReviewAnswer>): Promise<ReviewAnswer>;
  /** An empty folder, for who is asked about texts alone; from there the repository is out of reach like from a copy. */
  inEmptyFolder<T>(work: (folder: string) => Promise<T>): Promise<T>;
}

export function tamperGuard(lender: CopyLender): TamperGuard {
  return {
    async read(reader, work) {
      const { settled, tampered: what } = await watchedReading(lender, reader, work);
      if (what !== null) return tampered("answer" in settled ? settled.answer : NO_ANSWER, what);
      if ("error" in settled) throw settled.error;
      return settled.answer;
    },
    async inEmptyFolder(work) {
      const folder = await ownTemporary("review");
      if (lender.source !== undefined) noteCopy(folder, lender.source.root);
      try {
        return await work(folder);
      } finally {
        endLeftovers(folder);
        forgetCopy(folder);
        // What cannot be removed goes with what killed reviews left; it must not take the answer along.
        await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
      }
    },
  };
}

/** The result of a reading. It counts only if nothing was tampered with. */
export interface GuardedReading<T> {
  settled: { answer: T } | { error: unknown };
  tampered: string | null;
}

/** The same for readers that are asked for something else than a review. */
export function watchedReading<T>(
  lender: CopyLender,
  { name, head, base }: Reader,
  work: (repo: Repo, shown?: CopiedChange) => Promise<T>,
): Promise<GuardedReading<T>> {
  const reading = async (repo: Repo, shown?: CopiedChange): Promise<GuardedReading<T>> => {
    const before = await repo.snapshot();
    const settled = await work(repo, shown).then(
      (answer) => ({ answer }),
      (error: unknown) => ({ error }),
    );
    const changed = await changesIn(repo, before);
    return { settled, tampered: changed === null ? null : `${name} ${changed}` };
  };
  return lender.lend(head, reading, base);
}

const NO_ANSWER: Omit<ReviewAnswer, "report"> = { coverage: { reviewed: [], skipped: [] }, usage: {} };

/** What was changed in a copy; null where nothing was. Whoever left one that cannot be compared any more has changed it. */
async function changesIn(repo: Repo, before: Snapshot): Promise<string | null> {
  try {
    const names = await repo.sameAs(before);
    return names.length === 0 ? null : `changed the repository (${names.slice(0, 3).join(", ")})`;
  } catch (error) {
    const why = errorMessage(error).split("\n")[0] ?? "";
    return `left a repository that cannot be compared with its earlier state (${why})`;
  }
}

/** What it used and its prompt are still true; whether it would help to ask again is not known any more. */
function tampered(said: Omit<ReviewAnswer, "report">, what: string): ReviewAnswer {
  const { lasting: _, ...kept } = said;
  return { ...kept, report: { status: "inconclusive", reason: `tampered: ${what}` }, tampered: true };
}
