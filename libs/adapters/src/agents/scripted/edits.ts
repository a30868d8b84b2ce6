import { appendFile, chmod, lstat, mkdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";

/** One change to one file of a work tree. */
export type FileEdit =
  | { path: string; content: string; executable?: boolean }
  | { path: string; base64: string; executable?: boolean }
  | { path: string; link: string }
  | { path: string; append: string }
  | { path: string; replace: [old: string, replacement: string] }
  | { path: string; delete: true };

/** An edit that was not made because its path leads elsewhere or its file is not as expected. */
export class EditError extends Error {
  override readonly name = "EditError";
}

/** Makes the edits inside `cwd`. All paths are checked before the first file is touched. */
export async function applyEdits(cwd: string, edits: FileEdit[]): Promise<void> {
  for (const edit of edits) await jailed(cwd, edit);
  for (const edit of edits) await applyOne(await jailed(cwd, edit), edit);
}

async function applyOne(target: string, edit: FileEdit): Promise<void> {
  if ("delete" in edit) return rm(target, { recursive: true, force: true });
  await mkdir(dirname(target), { recursive: true });
  if ("append" in edit) return appendFile(target, edit.append);
  if ("replace" in edit) return replaceOnce(target, edit.path, edit.replace);
  if ("link" in edit) {
    await rm(target, { recursive: true, force: true });
    return symlink(edit.link, target);
  }
  await writeFile(target, "base64" in edit ? Buffer.from(edit.base64, "base64") : edit.content);
  if (edit.executable !== undefined) await chmod(target, edit.executable ? 0o755 : 0o644);
}

async function replaceOnce(target: string, path: string, [old, replacement]: [string, string]): Promise<void> {
  const before = await readFile(target, "utf8").catch(() => null);
  if (before === null) throw new EditError(`${path} cannot be read`);
  if (!before.includes(old)) throw new EditError(`${path} does not contain ${JSON.stringify(old.slice(0, 60))}`);
  await writeFile(
    target,
    before.replace(old, () => replacement),
  );
}

/** The absolute path of an edit, or an EditError where it would lie outside `cwd` or in its git directory. */
async function jailed(cwd: string, edit: FileEdit): Promise<string> {
  const { path } = edit;
  const parts = path.split(/[/\\]/);
  const outside = path === "" || path.includes("\0") || resolve("/", path) === path || /^[A-Za-z]:/.test(path);
  if (outside || parts.includes(".."))
    throw new EditError(`${JSON.stringify(path)} is not a path inside the work tree`);
  const root = await realpath(cwd);
  const target = join(root, path);
  if (relative(root, target) === "") throw new EditError(`${JSON.stringify(path)} is the work tree itself`);
  await refuseEscape(root, target, path);
  if ("link" in edit) await refuseEscape(root, resolve(dirname(target), edit.link), path);
  return target;
}

async function refuseEscape(root: string, target: string, path: string): Promise<void> {
  const real = await realTarget(target);
  const inside = relative(root, real);
  const parts = inside.split(sep);
  if (parts[0] === ".." || resolve("/", inside) === inside) {
    throw new EditError(`${JSON.stringify(path)} leads out of the work tree`);
  }
  // A hook or setting written here would be run by git later.
  if (parts.some((part) => part.toLowerCase() === ".git")) {
    throw new EditError(`${JSON.stringify(path)} lies in the git directory`);
  }
}

/** Where a path really ends: the links on its way followed, the part that does not exist yet kept. */
async function realTarget(target: string): Promise<string> {
  const found = await lstat(target).catch(() => null);
  if (found === null) return join(await realTarget(dirname(target)), target.slice(dirname(target).length));
  return realpath(target).catch(() => {
    throw new EditError(`${JSON.stringify(target)} is a link that leads nowhere`);
  });
}
