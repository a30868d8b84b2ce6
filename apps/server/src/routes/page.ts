import { z } from "zod";
import { RequestProblem } from "../problem.ts";

/** Which page of a list. */
export const page = z.strictObject({
  /** The last entry of the page before. */
  after: z.string().max(4_096).optional(),
  limit: z.coerce.number().int().min(1).max(1_000).default(200),
});

/** One page of a list that has an order of its own, and where the next begins. */
export function pageOf<T>(
  all: readonly T[],
  { after, limit }: z.infer<typeof page>,
  nameOf: (one: T) => string,
): { entries: T[]; next: string | null; total: number } {
  const before = after === undefined ? -1 : all.findIndex((one) => nameOf(one) === after);
  if (after !== undefined && before === -1)
    throw new RequestProblem(
      "bad-request",
      `the value of "after", ${after}, is not in this list any more: start with the first page`,
    );
  const end = before + 1 + limit;
  const entries = all.slice(before + 1, end);
  const last = entries.at(-1);
  return { entries, next: last !== undefined && end < all.length ? nameOf(last) : null, total: all.length };
}
