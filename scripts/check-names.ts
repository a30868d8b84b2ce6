// `node scripts/check-names.ts`: no two exported types of libs/*/src and apps/*/src share a name.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface SourceText {
  path: string;
  text: string;
}

/** One line for each name that is declared more than once, with every file that does. */
export function repeatedNames(files: readonly SourceText[]): string[] {
  const declared = new Map<string, string[]>();
  for (const { path, text } of files) {
    if (NOT_PRODUCT.test(path)) continue;
    // A schema and its inferred type are one thing under one name, and so is an overload in the same file.
    for (const name of new Set(namesOf(text))) declared.set(name, [...(declared.get(name) ?? []), path]);
  }
  return [...declared]
    .filter(([, paths]) => paths.length > 1)
    .map(([name, paths]) => `${name} is exported by ${paths.join(", ")}: rename all but one, or keep one type for all`)
    .sort();
}

const NOT_PRODUCT = /\.test\.tsx?$|(?:^|\/)testing\//;
const DECLARATION =
  /^export\s+(?:declare\s+|abstract\s+|const\s+(?=enum\b))*(?:interface|type|class|enum)\s+([\w$]+)(.*)$/gm;

function namesOf(text: string): string[] {
  const own: string[] = [];
  for (const [, name = "", rest = ""] of text.matchAll(DECLARATION)) {
    // `export type Name = Name` of an import keeps the type that it names.
    if (!new RegExp(`^\\s*=\\s*(?:[\\w$]+\\.)?${name.replaceAll("$", "\\$")}\\s*;`).test(rest)) own.push(name);
  }
  return own;
}

function main(root: string): void {
  const paths = globSync("{libs,apps}/*/src/**/*.{ts,tsx}", { cwd: root }).map((path) => path.replaceAll("\\", "/"));
  const problems = repeatedNames(paths.sort().map((path) => ({ path, text: readFileSync(join(root, path), "utf8") })));
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
  else console.log("names: no two exported types share one");
}

if (import.meta.main) main(process.cwd());
