// `node scripts/check-folders.ts`: no folder of libs/*/src and apps/*/src holds too many source files, and none import each other in a circle.
import { globSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import type { SourceText } from "./check-names.ts";

const MOST_FILES = 20;

/** One line for each folder with more source files than a reader takes in at a glance. */
export function fullFolders(files: readonly SourceText[]): string[] {
  const counts = Map.groupBy(product(files), ({ path }) => posix.dirname(path));
  return [...counts]
    .filter(([, { length }]) => length > MOST_FILES)
    .map(([folder, { length }]) => `${folder} has ${length} source files, ${MOST_FILES} at most: give it folders`)
    .sort();
}

/** One line for each circle of folders that import each other. */
export function folderCycles(files: readonly SourceText[]): string[] {
  const known = new Set(files.map(({ path }) => path));
  const imports = new Map<string, Set<string>>();
  for (const { path, text } of product(files)) {
    const from = roomOf(path);
    for (const [, name = ""] of text.matchAll(IMPORT)) {
      const target = posix.join(posix.dirname(path), name);
      const to = roomOf(target);
      if (known.has(target) && to !== from) imports.set(from, (imports.get(from) ?? new Set()).add(to));
    }
  }
  return circles(imports).map((circle) => `these import each other in a circle: ${circle.sort().join(", ")}`);
}

const NOT_PRODUCT = /\.test\.tsx?$|(?:^|\/)testing\//;
const IMPORT = /(?:from\s+|import\s*\(\s*|import\s+)"(\.\.?\/[^"]+)"/g;

function product(files: readonly SourceText[]): SourceText[] {
  return files.filter(({ path }) => !NOT_PRODUCT.test(path));
}

/** The folder of a file. Front doors (a package's own files, and index.ts) stand for themselves: they lead into the folders below. */
function roomOf(path: string): string {
  const isFrontDoor = /^[^/]+\/[^/]+\/src\/[^/]+$|\/index\.tsx?$/.test(path);
  return isFrontDoor ? path : posix.dirname(path);
}

/** The strongly connected parts of more than one node (Tarjan). */
function circles(edges: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const open: string[] = [];
  const found: string[][] = [];
  for (const node of edges.keys()) if (!order.has(node)) visit(node);
  return found;

  function visit(node: string): number {
    order.set(node, order.size);
    low.set(node, order.size - 1);
    open.push(node);
    for (const next of edges.get(node) ?? []) {
      if (!order.has(next)) low.set(node, Math.min(low.get(node) ?? 0, visit(next)));
      else if (open.includes(next)) low.set(node, Math.min(low.get(node) ?? 0, order.get(next) ?? 0));
    }
    if (low.get(node) === order.get(node)) {
      const circle = open.splice(open.indexOf(node));
      if (circle.length > 1) found.push(circle);
    }
    return low.get(node) ?? 0;
  }
}

function main(): void {
  const paths = globSync("{libs,apps}/*/src/**/*.{ts,tsx}").map((path) => path.replaceAll("\\", "/"));
  const files = paths.sort().map((path) => ({ path, text: readFileSync(path, "utf8") }));
  const problems = [...fullFolders(files), ...folderCycles(files)];
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
  else console.log(`folders: at most ${MOST_FILES} source files each, and no circles`);
}

if (import.meta.main) main();
