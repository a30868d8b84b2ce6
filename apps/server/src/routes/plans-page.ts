import type { ApiPlansQuery } from "@anneal/types";
import { Problem } from "../problem.ts";

/** One page of a list that has an order of its own. */
export function pageOf<T>(
  all: readonly T[],
  idOf: (one: T) => string,
  { after, limit }: ApiPlansQuery,
): { page: readonly T[]; next: string | null; total: number } {
  const before = after === undefined ? -1 : all.findIndex((one) => idOf(one) === after);
  if (after !== undefined && before === -1)
    throw new Problem("bad-request", `after: there is no ${after} in this list any more: begin with its first page`);
  const page = all.slice(before + 1, before + 1 + limit);
  const last = page.at(-1);
  const next = last !== undefined && before + 1 + limit < all.length ? idOf(last) : null;
  return { page, next, total: all.length };
}
