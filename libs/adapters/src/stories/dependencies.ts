import { findCycle } from "@anneal/core";
import type { FileProblem } from "./front-matter/problem.ts";

/** A work item with the locations of its name and its dependencies. */
export interface DependentFile {
  id: string;
  file: string;
  line: number;
  dependsOn: readonly { id: string; line: number }[];
}

export interface DependencyWords {
  /** `story`, `unit`, `task`. */
  noun: string;
  plural: string;
  /** Two ids with the same key would share a file, a folder or a branch. */
  keyOf?: (id: string) => string;
  /** Ids that exist besides these. */
  alsoKnown?: ReadonlySet<string>;
}

/** What is wrong with a set of work items: two with one id, dependencies that do not exist, circles. */
export function dependencyProblems(items: readonly DependentFile[], words: DependencyWords): FileProblem[] {
  return [...doubles(items, words), ...strangers(items, words), ...circles(items, words)];
}

function doubles(items: readonly DependentFile[], { plural, keyOf = (id) => id }: DependencyWords): FileProblem[] {
  const first = new Map<string, DependentFile>();
  return items.flatMap((item) => {
    const other = first.get(keyOf(item.id));
    if (other === undefined) {
      first.set(keyOf(item.id), item);
      return [];
    }
    const where = `${other.file}:${other.line}`;
    const message =
      other.id === item.id
        ? `two ${plural} have the id ${quoted(item.id)}: the other is ${where}`
        : `the ids ${quoted(item.id)} and ${quoted(other.id)} (${where}) are too much alike: they would share a branch`;
    return [{ file: item.file, line: item.line, message }];
  });
}

function strangers(items: readonly DependentFile[], { noun, alsoKnown }: DependencyWords): FileProblem[] {
  const known = new Set(items.map(({ id }) => id));
  return items.flatMap(({ file, dependsOn }) =>
    dependsOn
      .filter(({ id }) => !known.has(id) && alsoKnown?.has(id) !== true)
      .map(({ id, line }) => ({ file, line, message: `depends_on: there is no ${noun} ${quoted(id)}` })),
  );
}

/** One problem for each circle, at the first of its items. */
function circles(items: readonly DependentFile[], { plural }: DependencyWords): FileProblem[] {
  const problems: FileProblem[] = [];
  let rest = [...items];
  for (;;) {
    const circle = findCycle(rest.map(({ id, dependsOn }) => ({ id, dependsOn: dependsOn.map((on) => on.id) })));
    if (circle === null) return problems;
    const [first, second] = circle;
    const start = rest.find(({ id }) => id === first);
    const line = start?.dependsOn.find(({ id }) => id === second)?.line ?? 1;
    const message = `depends_on: ${plural} wait for each other: ${circle.join(" → ")}`;
    problems.push({ file: start?.file ?? "", line, message });
    rest = rest.filter(({ id }) => !circle.includes(id));
  }
}

function quoted(id: string): string {
  return JSON.stringify(id);
}
