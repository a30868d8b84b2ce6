import type { Finding } from "@anneal/types";
import { containment, evenly, jaccard } from "./likeness.ts";
import { stemsOf } from "./words.ts";

const ALIKE = 0.5;

/** Whether two findings about the same code say the same thing, as far as words can tell; a longer wording still does. */
export function saysTheSame(a: Finding, b: Finding): boolean {
  if (a.title === b.title && a.description === b.description) return true;
  const [one, other] = [wordsOf(a), wordsOf(b)];
  return 0.9 * containment(one, other, evenly) + 0.1 * jaccard(one, other, evenly) >= ALIKE;
}

function wordsOf({ title, description }: Finding): Set<string> {
  return stemsOf(`${title} ${description}`);
}
