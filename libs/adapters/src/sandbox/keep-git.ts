import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** In `.git` of every workspace of ours: whose it is. */
export const WORKSPACE_NOTE = "anneal-workspace.json";

/** What git in a workspace goes by, and what could lead it elsewhere. */
const FILES = ["config", "config.worktree", "commondir", "gitdir", "info/exclude", "info/attributes", WORKSPACE_NOTE];

/** Remembers what git in a workspace goes by, and puts it back: whoever works there must not start programs of their own through us. */
export function keepGit(tree: string): () => void {
  const gitDir = join(tree, ".git");
  if (!existsSync(join(gitDir, WORKSPACE_NOTE))) return () => {};
  const before = recordOf(gitDir);
  const head = join(gitDir, "HEAD");
  const stood = isReadableHead(head) ? readFileSync(head) : null;
  return () => {
    // Without a folder there is nothing that git could go by: whoever opens the workspace next says so.
    if (lstatSync(gitDir, { throwIfNoEntry: false })?.isDirectory() !== true) return;
    const after = recordOf(gitDir);
    for (const name of after.keys())
      if (!before.has(name)) rmSync(join(gitDir, name), { recursive: true, force: true });
    for (const [name, content] of before)
      if (after.get(name)?.equals(content) !== true) putBack(join(gitDir, name), content);
    if (stood !== null && !isReadableHead(head)) putBack(head, stood);
  };
}

const HEADS = /^(?:ref: refs\/\S+|[0-9a-f]{40}|[0-9a-f]{64})\n$/;

/** Without a HEAD that git can read there is no repository. */
export function isReadableHead(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isFile() === true && HEADS.test(readFileSync(file, "utf8"));
}

function recordOf(gitDir: string): Map<string, Buffer> {
  const hooks = namesIn(join(gitDir, "hooks")).map((name) => `hooks/${name}`);
  const found = new Map<string, Buffer>();
  for (const name of [...FILES, ...hooks]) {
    const entry = lstatSync(join(gitDir, name), { throwIfNoEntry: false });
    if (entry === undefined) continue;
    // A link or a folder in the place of a file is never what we have put there.
    found.set(name, entry.isFile() ? readFileSync(join(gitDir, name)) : Buffer.from("\0"));
  }
  return found;
}

function putBack(path: string, content: Buffer): void {
  const isHook = path.includes("/hooks/");
  rmSync(path, { recursive: true, force: true });
  if (lstatSync(dirname(path), { throwIfNoEntry: false })?.isDirectory() !== true)
    rmSync(dirname(path), { force: true });
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content, isHook ? { mode: 0o755 } : {});
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
