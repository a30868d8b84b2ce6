import type { Repo } from "../git/index.ts";
import type { ReviewAnswer } from "../ports.ts";

/** Lends a tree at a commit. */
export interface Lender {
  lend<T>(head: string, work: (repo: Repo) => Promise<T>): Promise<T>;
}

/** Who reads, and at which head. */
interface Reader {
  name: string;
  head: string;
}

/** The one way in which agents that judge come to a tree: whoever changed something there has given no answer. */
export interface ReadingRoom {
  read(reader: Reader, work: (repo: Repo) => Promise<ReviewAnswer>): Promise<ReviewAnswer>;
}

export function readingRoom(place: Lender): ReadingRoom {
  return {
    read: ({ name, head }, work) =>
      place.lend(head, async (repo) => {
        const before = await repo.snapshot();
        const settled = await work(repo).then(
          (answer) => ({ answer }),
          (error: unknown) => ({ error }),
        );
        const touched = await repo.sameAs(before);
        if (touched.length > 0) return tampered(name, touched, "answer" in settled ? settled.answer : UNHEARD);
        if ("error" in settled) throw settled.error;
        return settled.answer;
      }),
  };
}

const UNHEARD: Omit<ReviewAnswer, "report"> = { coverage: { reviewed: [], skipped: [] }, usage: {} };

/** What it used and was told is still true; whether it would help to ask again is not known any more. */
function tampered(name: string, touched: string[], said: Omit<ReviewAnswer, "report">): ReviewAnswer {
  const { lasting: _, ...kept } = said;
  const reason = `tampered: ${name} changed the repository (${touched.slice(0, 3).join(", ")})`;
  return { ...kept, report: { status: "inconclusive", reason }, tampered: true };
}
