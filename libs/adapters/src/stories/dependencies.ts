import type { Problem } from "./front-matter/problem.ts";

/** A work item with the places where its name and its dependencies stand. */
export interface Dependent {
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
export function dependencyProblems(items: readonly Dependent[], words: DependencyWords): Problem[] {
  return [...doubles(items, words), ...strangers(items, words), ...circles(items, words)];
}

function doubles(items: readonly Dependent[], { plural, keyOf = (id) => id }: DependencyWords): Problem[] {
  const first = new Map<string, Dependent>();
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

function strangers(items: readonly Dependent[], { noun, alsoKnown }: DependencyWords): Problem[] {
  const known = new Set(items.map(({ id }) => id));
  return items.flatMap(({ file, dependsOn }) =>
    dependsOn
      .filter(({ id }) => !known.has(id) && alsoKnown?.has(id) !== true)
      .map(({ id, line }) => ({ file, line, message: `depends_on: there is no ${noun} ${quoted(id)}` })),
  );
}

/** One problem for each circle, at the first of its items. */
function circles(items: readonly Dependent[], { plural }: DependencyWords): Problem[] {
  const problems: Problem[] = [];
  let rest = new Map(items.map((item) => [item.id, item]));
  for (;;) {
    rest = tangled(rest);
    const [first] = rest.values();
    if (first === undefined) return problems;
    const circle = walk(first, rest);
    const [start] = circle;
    const back = start?.dependsOn.find(({ id }) => id === (circle[1] ?? start).id);
    const path = [...circle, ...circle.slice(0, 1)].map(({ id }) => id).join(" → ");
    const message = `depends_on: ${plural} wait for each other: ${path}`;
    problems.push({ file: start?.file ?? "", line: back?.line ?? 1, message });
    for (const { id } of circle) rest.delete(id);
  }
}

/** What is left when everything is taken away that can run, and then what only waits behind a circle. */
function tangled(items: ReadonlyMap<string, Dependent>): Map<string, Dependent> {
  const rest = new Map(items);
  for (let before = -1; before !== rest.size; ) {
    before = rest.size;
    for (const [id, item] of rest) if (!item.dependsOn.some((on) => rest.has(on.id))) rest.delete(id);
  }
  return rest;
}

/** Every item here depends on another one here, so following them must come round. */
function walk(from: Dependent, rest: ReadonlyMap<string, Dependent>): Dependent[] {
  const path = [from];
  for (;;) {
    const next = path
      .at(-1)
      ?.dependsOn.map(({ id }) => rest.get(id))
      .find((item) => item !== undefined);
    if (next === undefined) return path;
    const seen = path.indexOf(next);
    if (seen >= 0) return fromSmallest(path.slice(seen));
    path.push(next);
  }
}

function fromSmallest(circle: Dependent[]): Dependent[] {
  const smallest = circle.map(({ id }) => id).sort()[0];
  const at = circle.findIndex(({ id }) => id === smallest);
  return [...circle.slice(at), ...circle.slice(0, at)];
}

function quoted(id: string): string {
  return JSON.stringify(id);
}
