import { STOP_WORDS } from "./stop-words.ts";
import { SYNONYMS } from "./synonyms.ts";

/** The stems of what a text says: names of code are taken apart, and where it points to is left out. */
export function stemsOf(text: string): Set<string> {
  const stems = new Set<string>();
  for (const [run] of text
    .normalize("NFKC")
    .replace(POINTERS, " ")
    .matchAll(/[\p{L}\p{M}\p{N}_]+/gu)) {
    for (const piece of piecesOf(run)) for (const word of wordsIn(piece)) stems.add(word);
  }
  return stems;
}

/** `line 12`, `lines 3-4`, `cart.ts:12`: they change with every edit. */
const POINTERS = /\b(?:lines?|строк\p{L}*|zeilen?|lignes?)\s+\d+(?:\s*(?:[-–,]|to|and)\s*\d+)*|:\d+(?:[-:]\d+)?\b/giu;

/** `maxRetries` and `max_retries` are what a person writes as "max retries". */
function piecesOf(run: string): string[] {
  return run
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .split(/[\s_]+/);
}

/** Without spaces between words, two neighbouring characters are the nearest thing to one. */
const UNSPACED = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}]+/u;

function wordsIn(piece: string): string[] {
  return piece
    .toLowerCase()
    .split(/([\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}]+)/u)
    .flatMap((part) => {
      if (UNSPACED.test(part)) return pairsIn([...part]);
      return part.length < 2 || STOP_WORDS.has(part) ? [] : [stem(part)];
    });
}

function pairsIn(characters: readonly string[]): string[] {
  if (characters.length < 2) return [...characters];
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

const LATIN = /^[a-z]+$/;
const CYRILLIC = /^\p{Script=Cyrillic}+$/u;
const CYRILLIC_STEM = 6;

function stem(word: string): string {
  if (CYRILLIC.test(word)) return word.slice(0, CYRILLIC_STEM);
  if (!LATIN.test(word)) return word;
  const root = latinStem(word);
  meanings ??= new Map(SYNONYMS.flatMap(synonymsOn));
  return meanings.get(root) ?? root;
}

const SHORTEST_STEM = 4;
/** Longest first; one is taken, and what it left may lose an `e` or a doubled letter. */
const ENDINGS = [
  "izations",
  "ization",
  "ations",
  "ation",
  "ingly",
  "edly",
  "ments",
  "ment",
  "ions",
  "ion",
  "ings",
  "ing",
  "ers",
  "ies",
  "ied",
  "ly",
  "ed",
  "er",
  "es",
  "al",
  "s",
  "y",
];

function latinStem(word: string): string {
  if (word.length <= 3 || word.endsWith("ss")) return word;
  const short = word.endsWith("s") && word.length === SHORTEST_STEM ? "s" : undefined;
  const ending = short ?? ENDINGS.find((one) => word.endsWith(one) && word.length - one.length >= SHORTEST_STEM - 1);
  const root = ending === undefined ? word : word.slice(0, -ending.length);
  const single = root.length > SHORTEST_STEM - 1 && root.at(-1) === root.at(-2) ? root.slice(0, -1) : root;
  return single.length > 3 && /[eiy]$/.test(single) ? single.replace(/(?:at)?e$|[iy]$/, "") : single.replace(/at$/, "");
}

/** The first word of its line for every synonym, all by their stems; made with the first word that is read. */
let meanings: Map<string, string> | undefined;

function synonymsOn(line: string): [string, string][] {
  const [first = "", ...others] = line.split(" ").map(latinStem);
  return others.map((other) => [other, first]);
}
