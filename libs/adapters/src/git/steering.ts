import { createHash } from "node:crypto";
import { constants, lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join, relative } from "node:path";
import type { Place } from "./place.ts";

export type Entry = [name: string, fingerprint: string];

const SHARED_SETTINGS = ["config", "hooks", "info", "objects/info/alternates", "shallow", "modules"];
const OWN_SETTINGS = [
  ...["config.worktree", "info", "MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD"],
  ...["gitdir", "commondir", "locked"],
];

/** A submodule's own refs and index move with honest work; what can start programs must not. */
const SUBMODULE_SETTING = /\/(config|hooks\/.*)$/;

/** What steers git itself: settings, hooks, exclusions, attributes, and the pointer of a linked work tree. */
export function gitSettings({ root, gitDir, commonDir }: Place): Entry[] {
  const places = new Set([
    ...SHARED_SETTINGS.map((name) => join(commonDir, name)),
    ...OWN_SETTINGS.map((name) => join(gitDir, name)),
  ]);
  const steering = [...places].flatMap((path) => contentsOf(path, commonDir));
  return [...steering, [".git pointer", pointerIn(root)], [".git kinds", kindsIn(gitDir, commonDir)]];
}

function pointerIn(root: string): string {
  const path = join(root, ".git");
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isFile() ? readFileSync(path, "utf8") : kindOf(found?.mode);
}

/** A pipe in the place of one of these would have every reader of it wait for ever. */
function kindsIn(gitDir: string, commonDir: string): string {
  const read = [join(gitDir, "HEAD"), join(gitDir, "index"), join(commonDir, "packed-refs"), commonDir];
  const kinds = read.map((path) => kindOf(lstatSync(path, { throwIfNoEntry: false })?.mode));
  // Git makes some of them only when it needs them.
  return kinds.map((kind) => (kind === "nothing" ? "file" : kind)).join(" ");
}

export function kindOf(mode: number | undefined): string {
  if (mode === undefined) return "nothing";
  return KINDS.get(mode & constants.S_IFMT) ?? "other";
}

const KINDS = new Map([
  [constants.S_IFREG, "file"],
  [constants.S_IFDIR, "folder"],
  [constants.S_IFLNK, "link"],
]);

/** Each file at a path in git's own folder. At once: they are small, and a thread for each of them would take many times longer. */
export function contentsOf(path: string, commonDir: string): Entry[] {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return [];
  if (found.isDirectory()) {
    const kept = readdirSync(path).filter((name) => name !== "objects" && name !== "logs");
    return kept.flatMap((name) => contentsOf(join(path, name), commonDir));
  }
  const name = `.git/${relative(commonDir, path)}`;
  if (name.startsWith(".git/modules/") && !SUBMODULE_SETTING.test(name)) return [];
  // What is no file, such as a pipe, has no content, and to read it could take for ever.
  const content = found.isSymbolicLink() ? readlinkSync(path) : found.isFile() ? readFileSync(path) : "";
  return [[name, `${found.mode} ${hash(content)}`]];
}

export function hash(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}
