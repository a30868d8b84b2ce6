import { defaultParseSearch, defaultStringifySearch } from "@tanstack/react-router";

/** How addresses are read and written. A route keeps what its own check leaves out, so that empty words are dropped before it. */
export const ADDRESSES = {
  parseSearch: (text: string) => withoutEmpty(defaultParseSearch(text)),
  stringifySearch: (search: Record<string, unknown>) => defaultStringifySearch(withoutEmpty(search)),
};

function withoutEmpty(search: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== ""));
}

/** What the board shows of all its cards; a permalink carries it. */
export interface BoardSearch {
  text?: string;
  kind?: string;
  needsMe?: boolean;
}

/** What an address says about the board. */
export function boardSearch(search: Record<string, unknown>): BoardSearch {
  return { ...wordsOf(search, ["text", "kind"]), ...(search.needsMe === true ? { needsMe: true } : {}) };
}

/** A place in a review: a finding, or a line of a file between two ends of a diff. */
export interface ReviewSearch {
  loop?: string;
  tab?: string;
  finding?: string;
  file?: string;
  line?: number;
  from?: string;
  to?: string;
}

export function reviewSearch(search: Record<string, unknown>): ReviewSearch {
  const { line } = search;
  return {
    ...wordsOf(search, ["loop", "tab", "finding", "file", "from", "to"]),
    ...(typeof line === "number" ? { line } : {}),
  };
}

/** A name of digits, such as a round, is read as a number from an address. */
function wordsOf<K extends string>(search: Record<string, unknown>, keys: readonly K[]): Partial<Record<K, string>> {
  const words: Partial<Record<K, string>> = {};
  for (const key of keys) {
    const value = search[key];
    if ((typeof value === "string" && value !== "") || typeof value === "number") words[key] = String(value);
  }
  return words;
}
