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

const NEARLY = 0.8;

/** Whether they say it in nearly the same words, and neither denies what the other says. */
export function saysNearlyThat(a: Finding, b: Finding): boolean {
  return denials(a) === denials(b) && jaccard(wordsOf(a), wordsOf(b), evenly) >= NEARLY;
}

function denials({ title, description }: Finding): number {
  return (`${title} ${description}`.match(/\b(?:not|never|no|without|cannot)\b|n't\b/gi) ?? []).length;
}

function wordsOf({ title, description }: Finding): Set<string> {
  return stemsOf(`${title} ${description}`);
}
