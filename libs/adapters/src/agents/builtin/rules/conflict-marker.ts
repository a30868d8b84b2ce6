import type { FileCheck, Found } from "../source/rule.ts";
import type { AddedLine, SourceFile } from "../source/source.ts";

/** Finds merges that were committed unresolved: all three markers, each at the start of an added line, in order. */
export const conflictMarker: FileCheck = {
  covers: () => true,
  hint: /^<<<<<<< \S/m,
  async look(source) {
    if (source.kind.fixture && /conflict|merge/i.test(source.path)) return [];
    const found: Found[] = [];
    for (const conflict of conflicts(source.added)) {
      if (!(await quoted(source, conflict.first))) found.push(report(conflict));
    }
    return found;
  },
};

interface Conflict {
  first: AddedLine;
  last: AddedLine;
}

function* conflicts(added: AddedLine[]): Generator<Conflict> {
  let first: AddedLine | undefined;
  let divided = false;
  for (const line of added) {
    if (/^<<<<<<< \S/.test(line.text)) {
      first = line;
      divided = false;
    } else if (line.text === "=======") {
      divided = true;
    } else if (first && divided && /^>>>>>>> \S/.test(line.text)) {
      yield { first, last: line };
      first = undefined;
    }
  }
}

/** Documents show conflicts in code fences and tests keep them in strings: those are quotes, not leftovers. */
async function quoted(source: SourceFile, first: AddedLine): Promise<boolean> {
  if (/\.(md|mdx|markdown|rst|adoc)$/i.test(source.path)) {
    const lines = ((await source.code()).text ?? "").split("\n").slice(0, first.line - 1);
    const fences = lines.filter((line) => /^\s*(```|~~~|----$)/.test(line)).length;
    return fences % 2 === 1;
  }
  if (!source.kind.test) return false;
  const code = await source.code();
  return code.code.slice(code.startOf(first.line)).startsWith(" ");
}

function report({ first, last }: Conflict): Found {
  return {
    line: first.line,
    endLine: last.line,
    snippet: first.text,
    description: `Lines ${first.line} to ${last.line} contain both sides of an unresolved merge.`,
  };
}
