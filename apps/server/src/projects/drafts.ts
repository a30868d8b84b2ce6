import { RequestProblem } from "../problem.ts";

interface UnderWay {
  drafting: Promise<unknown>;
  signal: AbortSignal;
}

/** Replies that are being drafted: one at a time for each question. */
export class Drafts {
  readonly #underWay = new Map<string, UnderWay>();

  /** One that was called off is waited for, and gives way. */
  async one<T>(question: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    for (let before = this.#underWay.get(question); before !== undefined; before = this.#underWay.get(question)) {
      if (!before.signal.aborted)
        throw new RequestProblem("conflict", "a reply to this question is already being drafted: wait for it");
      await before.drafting.catch(() => {});
    }
    if (signal.aborted) throw new RequestProblem("unavailable", "the draft was cancelled");
    const drafting = work().finally(() => this.#underWay.delete(question));
    this.#underWay.set(question, { drafting, signal });
    return await drafting;
  }

  /** Until none is under way any more. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0)
      await Promise.allSettled([...this.#underWay.values()].map(({ drafting }) => drafting));
  }
}
