import type { Finding, Stray } from "@anneal/types";
import { fingerprint } from "../findings/fingerprint.ts";
import { folderOf, stemOf } from "../review/related-files.ts";
import { type FileSide, locks, SENSITIVE, type Sensitive, sensitiveIn } from "./sensitive-files.ts";
import { testSettings } from "./test-settings.ts";

/** A file as a fix found and left it. */
export interface FixedFile {
  path: string;
  /** The path before a rename. */
  oldPath?: string | undefined;
  before: FileSide;
  after: FileSide & { blob: string };
  /** How many lines are gone or rewritten. */
  removed: number;
}

/** What a fix was to mend, and in view of what. */
export interface FixTask {
  /** Open findings, what checks and hooks refused, and what was asked for on the pull request. */
  findings: readonly Finding[];
  /** What the item asks for, and what people have told the fixer. */
  words: readonly string[];
  /** The files of the change before the fix. */
  changed: readonly string[];
  /** What the files that findings name say. */
  texts: readonly { path: string; text: string }[];
  round: number;
  /** The commit before the fix. */
  from: string;
}

/** The files of a fix that nothing names: those that hold the change, and those that are only reported. */
export function outOfScope(files: readonly FixedFile[], task: FixTask): { strays: Stray[]; unnamed: string[] } {
  const strays: Stray[] = [];
  const unnamed: string[] = [];
  const touched = files.flatMap(({ path, oldPath = path }) => [path, oldPath]);
  for (const file of files) {
    const kinds = unnamedKinds(file, task, touched);
    if (kinds.length > 0) strays.push(stray(file, task, kinds));
    else if (isNear(file, task)) continue;
    else if (isMuch(file)) strays.push(stray(file, task, []));
    else if (!isProse(file)) unnamed.push(file.path);
  }
  return { strays, unnamed };
}

function unnamedKinds(file: FixedFile, task: FixTask, touched: readonly string[]): Sensitive[] {
  const { path, oldPath = path, before, after } = file;
  const moved = [...sensitiveIn(oldPath, before, empty(before)), ...sensitiveIn(path, empty(after), after)];
  const sides = [...sensitiveIn(path, before, after), ...(oldPath === path ? [] : moved)];
  const isNamed = [path, oldPath].some((one) => isNamedBy(task, one, "exactly"));
  const about = task.findings.filter((finding) => names(finding, path, "exactly"));
  const isFine: Partial<Record<Sensitive, boolean>> = {
    // To name a file for its code is no leave to make a program of it, or a way elsewhere.
    executable: about.some((finding) => EXECUTABLE.test(wordsOf(finding))),
    link: about.some((finding) => LINK.test(wordsOf(finding))),
    lock: isNamed || touched.some((one) => locks(path, one) && isNamedBy(task, one, "exactly")),
  };
  return [...new Set(sides)].filter((kind) => !(isFine[kind] ?? isNamed));
}

const EXECUTABLE = /\bexecutab|\bchmod\b|\+x\b|\bfile mode|\b100?755\b/i;
const LINK = /\b(?:sym)?links?\b|\bsubmodule/i;

/** What lay there under the other name of a rename: its mode is compared by itself. */
function empty({ mode }: FileSide): FileSide {
  return { mode, text: "" };
}

/** Named, part of the change, beside or a test of such a file, or one that it uses or is used by. New files are part of a fix. */
function isNear({ path, oldPath = path, before, after }: FixedFile, task: FixTask): boolean {
  if (before.mode === ABSENT) return true;
  const known = [...task.changed, ...task.findings.flatMap(({ file }) => file ?? [])];
  if (known.some((one) => one === path || one === oldPath || isBeside(one, oldPath))) return true;
  if (isNamedBy(task, path, "by name") || isNamedBy(task, oldPath, "by name")) return true;
  const text = before.text ?? after.text ?? "";
  return task.texts.some((one) => uses(one.text, oldPath) || uses(text, one.path));
}

const ABSENT = "000000";

function isBeside(known: string, path: string): boolean {
  if (folderOf(known) === folderOf(path)) return true;
  const [a, b] = [stemOf(known), stemOf(path)];
  return a.stem === b.stem && a.isTest !== b.isTest;
}

const IMPORTS = /\b(?:import|require|from|use|using|include|mod|export)\b/;

/** Whether a line that takes something from elsewhere names this file. */
function uses(text: string, path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1).replace(/(?<=.)\.[^.]*$/, "");
  const [stem, folder = ""] = [name, ...path.split("/").slice(-2, -1)];
  // What is called index is imported by its folder.
  const wanted = /^(?:index|mod|__init__)$/.test(stem) ? folder : stem;
  if (wanted === "") return false;
  const word = new RegExp(`(?<![\\w-])${literal(wanted)}(?![\\w-])`);
  return text.split("\n").some((line) => IMPORTS.test(line) && word.test(line));
}

/** Documents are read, not run; lists of packages and of targets only end as they do. */
function isProse({ path }: FixedFile): boolean {
  if (testSettings(path, "") !== null) return false;
  return /\.(?:md|mdx|rst|adoc|txt)$|(?:^|\/)(?:docs?|changelogs?)\/|(?:^|\/)(?:CHANGELOG|CHANGES|NEWS|README)[^/]*$/i.test(
    path,
  );
}

const MANY_LINES = 20;

function isMuch({ before, after, removed, oldPath, path }: FixedFile): boolean {
  if (after.mode === ABSENT) return true;
  const lines = before.text === null ? 0 : before.text.split("\n").length;
  return (oldPath ?? path) === path && removed >= MANY_LINES && removed * 2 >= lines;
}

type Way = "exactly" | "by name";

function isNamedBy({ findings, words }: FixTask, path: string, way: Way): boolean {
  return findings.some((one) => names(one, path, way)) || words.some((text) => mentions(text, path, way));
}

function names(finding: Finding, path: string, way: Way): boolean {
  return finding.file === path || mentions(wordsOf(finding), path, way);
}

function wordsOf({ title, description, impact = "", suggestion = "" }: Finding): string {
  return [title, description, impact, suggestion].join("\n");
}

/** Names that many tools give to files of their own: of those only the whole path names one. */
const COMMON = /^(?:settings|config|index|main|hooks?|tasks|launch|mod|__init__)(?:\.\w+)?$/i;

function mentions(text: string, path: string, way: Way): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return wordOf(path).test(text) || (!(way === "exactly" && COMMON.test(name)) && wordOf(name).test(text));
}

function wordOf(name: string): RegExp {
  return new RegExp(`(?<![\\w-])${literal(name)}(?![\\w-]|\\.\\w)`);
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

function stray({ path, after, before }: FixedFile, { round, from }: FixTask, kinds: readonly Sensitive[]): Stray {
  const what = kinds.map((kind) => SENSITIVE[kind]).join(", ");
  const verb = after.mode === ABSENT ? "deletes" : before.mode === ABSENT ? "adds" : "changes";
  const much = after.mode === ABSENT ? "deletes a file" : "rewrites much of a file";
  const finding: Finding = {
    rule: OUT_OF_SCOPE,
    category: kinds.length === 0 ? "compliance" : "security",
    severity: kinds.length === 0 ? "high" : "critical",
    title:
      kinds.length === 0
        ? `The fix of round ${round} ${much} that no finding names: ${path}`
        : `The fix of round ${round} ${verb} ${path} (${what}), which no finding names`,
    description: `Neither a requirement nor a finding that the fix was for names ${path}.`,
    suggestion: `Undo this change. If it is needed, say why: it blocks until a reviewer who knows the requirements rules on it, or a person agrees.`,
    file: path,
  };
  const key = [OUT_OF_SCOPE, path, after.mode, after.blob].join("\0");
  return { fingerprint: fingerprint(key, 0), finding, strayed: { path, from } };
}

const OUT_OF_SCOPE = "fix-out-of-scope";
