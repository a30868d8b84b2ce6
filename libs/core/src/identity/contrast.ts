import type { Finding } from "@anneal/types";

/** What a title names of the code, as its writer marked it: `name`, name(), someName, some_name, or a capital within the sentence. */
const NAMES =
  /`([^`]+)`|([A-Za-z_$][\w$]*(?:(?:\.|::|->)[A-Za-z_$][\w$]*)*)\(|\b([a-z]+[A-Z]\w*|\w+_\w+)\b|(?<=[a-z,] )([A-Z][a-z]+)\b(?! [A-Z])/g;
const NAME = /[A-Za-z_$][\w$]+/g;

/** What a finding says, and what its title names of the code. */
export interface FindingTerms {
  names: ReadonlySet<string>;
  said: ReadonlySet<string>;
}

export function namedIn({ title, description }: Finding): FindingTerms {
  const names = [...title.matchAll(NAMES)].flatMap(([all]) => wordsOf(all));
  return { names: new Set(names), said: new Set(wordsOf(`${title} ${description}`)) };
}

function wordsOf(text: string): string[] {
  return (text.match(NAME) ?? []).map((word) => word.toLowerCase());
}

/** One speaks of Get and the other of Delete, and neither mentions what the other is about: these are two, however alike the words. */
export function nameOthers(a: FindingTerms, b: FindingTerms): boolean {
  return a.names.size > 0 && b.names.size > 0 && isUnsaid(a.names, b.said) && isUnsaid(b.names, a.said);
}

function isUnsaid(names: ReadonlySet<string>, said: ReadonlySet<string>): boolean {
  return ![...names].some((name) => said.has(name));
}
