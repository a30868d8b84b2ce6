import { Problem } from "../problem.ts";

/** Replies that are being drafted: one at a time for each question. */
export class Drafts {
  readonly #underWay = new Map<string, Promise<unknown>>();

  async one<T>(question: string, work: () => Promise<T>): Promise<T> {
    if (this.#underWay.has(question))
      throw new Problem("conflict", "a reply to this question is being drafted already: wait for it");
    const drafting = work();
    this.#underWay.set(question, drafting);
    try {
      return await drafting;
    } finally {
      this.#underWay.delete(question);
    }
  }

  /** Until none is under way any more. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#underWay.values());
  }
}
