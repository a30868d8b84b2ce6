import { type Claim, takesBack, wordSays } from "./completion-claims.ts";

const ENOUGH = 0.6;

/** Which criteria a claim is about, by index. Its words go before its number, which a list may use for something else. */
export function criteriaMeant(claim: Claim, criteria: readonly string[]): number[] {
  const byWords = longestAtStart(wordsOf(claim.text), criteria.map(wordsOf));
  if (byWords.length > 0) return byWords;
  const { number, sure } = claim;
  const index = number === null ? -1 : number - 1;
  const criterion = criteria[index];
  if (criterion === undefined) return [];
  return sure || overlap(wordsOf(criterion), wordsOf(claim.text)) >= ENOUGH ? [index] : [];
}

/** Whether a claim says that its criterion is met, and all that it says besides the criterion itself. */
export function saysOf(claim: Claim, criterion: string): { met: boolean; evidence: string } {
  const rest = restAfter(claim.text, criterion);
  const word = wordSays(rest);
  const evidence = `${word === true ? rest.replace(/^\p{L}+[\s.:;,)–—-]*/u, "") : rest} ${claim.evidence}`.trim();
  const met = (claim.met ?? word) === true && word !== false && !takesBack(evidence);
  return { met, evidence };
}

/** The criteria whose words the claim begins with; of several, the longest, so that "a" is not taken for "a and b". */
function longestAtStart(said: readonly string[], wanted: readonly (readonly string[])[]): number[] {
  const fits = wanted.map((words) => (beginsWith(said, words) ? words.length : 0));
  const longest = Math.max(0, ...fits);
  return longest === 0 ? [] : fits.flatMap((length, index) => (length === longest ? index : []));
}

function beginsWith(said: readonly string[], words: readonly string[]): boolean {
  return words.every((word, index) => said[index] === word);
}

/** What follows the criterion's own words; where it is reworded, what follows a dash or colon. */
function restAfter(text: string, criterion: string): string {
  const words = wordsOf(criterion);
  const rest = beginsWith(wordsOf(text), words)
    ? text.slice([...text.matchAll(WORD)].slice(0, words.length).reduce((_, found) => found.index + found[0].length, 0))
    : (/(?:\s[-–—]+\s+|:\s+)(.*)$/s.exec(text)?.[1] ?? "");
  return rest.replace(/^[\s.:;,()"'*_`–—-]+/, "");
}

function overlap(criterion: readonly string[], said: readonly string[]): number {
  const have = new Set(said);
  return criterion.length === 0 ? 0 : criterion.filter((word) => have.has(word)).length / criterion.length;
}

const WORD = /[\p{L}\p{N}]+/gu;

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(WORD) ?? [];
}
