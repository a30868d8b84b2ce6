import { createHash } from "node:crypto";
import { constants, lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join, relative } from "node:path";
import { isAllowed, whereaboutsOf } from "../sandbox/git-allowed.ts";
import { packed, recordOf, unpacked } from "../sandbox/git-files.ts";
import type { Place } from "./place.ts";

export type Entry = [name: string, fingerprint: string];

/** Of a linked work tree: its own settings, its pointers, and what is begun there. Only whoever works there has reason to change them. */
const OWN = [
  "config.worktree",
  "info",
  "MERGE_HEAD",
  "CHERRY_PICK_HEAD",
  "REVERT_HEAD",
  "gitdir",
  "commondir",
  "locked",
];
const BEGUN = OWN.filter((name) => name.endsWith("_HEAD"));

/** What steers git itself, by the rules of guards: settings, hooks, exclusions, attributes, and the pointer of a linked work tree. */
export function gitSettings({ root, gitDir, commonDir }: Place): Entry[] {
  const shared = [...recordOf([], [commonDir])].map(
    ([path, entry]): Entry => [`${GIT}${relative(commonDir, path)}`, packed(entry, commonDir)],
  );
  const own = (gitDir === commonDir ? BEGUN : OWN).flatMap((name) => contentsOf(join(gitDir, name), commonDir));
  return [...shared, ...own, [".git pointer", pointerIn(root)], [".git kinds", kindsIn(gitDir, commonDir)]];
}

const GIT = ".git/";

/** Whether something that steers git may have changed meanwhile: people work in their repository during a review too. */
export function mayChange(
  { gitDir, commonDir }: Place,
  name: string,
  before: string | undefined,
  after: string | undefined,
): boolean {
  if (!name.startsWith(GIT)) return false;
  const [due, now] = [before, after].map((text) => (text === undefined ? undefined : unpacked(text, commonDir)));
  // What is compared by its fingerprint alone is nobody's to change.
  if (due === null || now === null) return false;
  return isAllowed(join(commonDir, name.slice(GIT.length)), due, now, whereaboutsOf(gitDir, commonDir));
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
  if (found.isDirectory()) return readdirSync(path).flatMap((name) => contentsOf(join(path, name), commonDir));
  // What is no file, such as a pipe, has no content, and to read it could take for ever.
  const content = found.isSymbolicLink() ? readlinkSync(path) : found.isFile() ? readFileSync(path) : "";
  return [[`${GIT}${relative(commonDir, path)}`, `${found.mode} ${hash(content)}`]];
}

export function hash(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}
