import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join, relative } from "node:path";
import type { RepoLocation } from "../../run/repo-location.ts";

export type FileFingerprint = [name: string, fingerprint: string];

/** In git's own folder: settings, hooks, exclusions and attributes, what could lead git elsewhere, and what was begun. */
const STEERS = [
  ...["config", "config.worktree", "commondir", "gitdir", "hooks", "info", "objects/info"],
  ...["MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD"],
];
/** A pipe or a link in the place of one of these would have whoever reads it wait for ever, or read something else. */
const PLAIN = ["HEAD", "index", "packed-refs", "refs", "objects"];

/** What steers git itself. It can be compared without starting a git. */
export function gitSettings({ root, gitDir }: RepoLocation): FileFingerprint[] {
  const kinds = PLAIN.map((name) => lstatSync(join(gitDir, name), { throwIfNoEntry: false }));
  const odd = kinds.some((found) => found !== undefined && !found.isFile() && !found.isDirectory());
  return [
    ...STEERS.flatMap((name) => contentsOf(join(gitDir, name), gitDir)),
    [".git folder", lstatSync(join(root, ".git"), { throwIfNoEntry: false })?.isDirectory() ? "folder" : "other"],
    [".git kinds", odd ? "odd" : "plain"],
  ];
}

/** Each file at a path in git's own folder. At once: they are small, and a thread for each of them would take many times longer. */
function contentsOf(path: string, gitDir: string): FileFingerprint[] {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return [];
  if (found.isDirectory()) return readdirSync(path).flatMap((name) => contentsOf(join(path, name), gitDir));
  // What is no file, such as a pipe, has no content, and to read it could take for ever.
  const content = found.isSymbolicLink() ? readlinkSync(path) : found.isFile() ? readFileSync(path) : "";
  return [[`.git/${relative(gitDir, path)}`, `${found.mode} ${hash(content)}`]];
}

export function hash(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}
