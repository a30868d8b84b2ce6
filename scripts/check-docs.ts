// `node scripts/check-docs.ts`: paths in backticks and links in the pages of this repository lead to something.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import type { SourceText } from "./check-names.ts";

/** One line for each path or link that leads nowhere; `files` are all files of the repository. */
export function docProblems(docs: readonly SourceText[], files: readonly string[]): string[] {
  const folders = new Set(files.flatMap(foldersOf));
  const known = new Set([...files, ...folders]);
  const pages = new Map(docs.map((doc) => [doc.path, doc]));
  const problems: string[] = [];
  for (const { path, text } of docs) {
    for (const [index, line] of withoutCodeBlocks(text).entries()) {
      const report = (what: string) => problems.push(`${path}:${index + 1}: ${what}`);
      for (const [, code = ""] of line.matchAll(/`([^`\s]+)`/g)) {
        if (isPath(code, path) && !pathExists(code, known)) report(`\`${code}\` does not exist`);
      }
      for (const [, target = ""] of line.matchAll(/\]\(([^)\s]+)\)/g)) {
        const wrong = linkProblem(target, path, known, pages);
        if (wrong !== null) report(wrong);
      }
    }
  }
  return problems;
}

const TOP = /^(?:libs|apps|scripts|docs|bench)\//;
// Made by `npm run build`.
const GENERATED = /^apps\/cli\/bundle\/?$/;
const SOURCE = /^[\w-]+(?:[./][\w-]+)*\.(?:ts|tsx|mjs)$/;
// Pages for users name files of their own repositories; only these pages are about ours.
const ABOUT_OURS = /^(?:ARCHITECTURE|CONTRIBUTING)\.md$|^docs\/(?:how|decisions)\//;

function isPath(code: string, page: string): boolean {
  // Braces, angle brackets and dots stand for names of many things.
  if (/[{}<>…]/.test(code)) return false;
  return ABOUT_OURS.test(page) && !GENERATED.test(code) && (TOP.test(code) || SOURCE.test(code));
}

function pathExists(code: string, known: ReadonlySet<string>): boolean {
  const wanted = code.replace(/\/$/, "");
  if (wanted.includes("*")) return [...known].some((path) => posix.matchesGlob(path, wanted));
  if (known.has(wanted)) return true;
  return !TOP.test(code) && [...known].some((path) => path.endsWith(`/${wanted}`));
}

function linkProblem(
  target: string,
  page: string,
  known: ReadonlySet<string>,
  pages: ReadonlyMap<string, SourceText>,
): string | null {
  if (/^[a-z]+:/.test(target)) return null;
  const [file = "", anchor = ""] = target.split("#");
  const path = file === "" ? page : posix.join(posix.dirname(page), file).replace(/\/$/, "");
  if (!known.has(path)) return `the link ${target} leads to no file`;
  const text = pages.get(path)?.text;
  if (anchor === "" || text === undefined || anchorsOf(text).has(anchor)) return null;
  return `the link ${target} leads to no heading of ${path}`;
}

/** As GitHub makes them from headings, and those that a page sets itself. */
function anchorsOf(text: string): Set<string> {
  const headings = withoutCodeBlocks(text).flatMap((line) => /^#+ (.*)$/.exec(line)?.[1] ?? []);
  const slugs = headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
  return new Set([...slugs, ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = ""]) => id)]);
}

/** The lines, with those of code blocks empty, so that numbers stay. */
function withoutCodeBlocks(text: string): string[] {
  let fence: string | null = null;
  return text.split(/\r?\n/).map((line) => {
    const mark = /^\s*(`{3,})/.exec(line)?.[1];
    if (fence === null) {
      fence = mark ?? null;
      return mark === undefined ? line : "";
    }
    if (mark !== undefined && mark.length >= fence.length) fence = null;
    return "";
  });
}

function foldersOf(path: string): string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

function main(): void {
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"]).toString();
  const files = listed.split("\0").filter((path) => path !== "" && existsSync(path));
  const docs = files
    .filter((path) => /^[^/]+\.md$|^docs\/.*\.md$/.test(path))
    .map((path) => ({ path, text: readFileSync(path, "utf8") }));
  const problems = docProblems(docs, files);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
  else console.log(`docs: the paths and links of ${docs.length} pages exist`);
}

if (import.meta.main) main();
