import { readdir, readFile, stat } from "node:fs/promises";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { sameByHand } from "@anneal/adapters/stories";
import { openRepo } from "@anneal/git";
import { UsageError } from "../errors/errors.ts";
import { shellWord } from "../errors/shell-word.ts";
import { projectAt } from "./project-at.ts";

/** Where somebody stands: the top of that work tree, and that of the project, whose files are the ones that loops read and write. */
export interface CallerLocation {
  cwd: string;
  here: string;
  root: string;
}

export async function callerLocation(cwd: string): Promise<CallerLocation> {
  const { root: here } = await openRepo(cwd);
  const { root } = await projectAt(cwd);
  return { cwd, here, root };
}

/** A path from the project's top, also where it was named in another work tree; null for one that is outside of it. */
export function fromTop({ cwd, here, root }: CallerLocation, name: string): string | null {
  const path = resolve(cwd, name);
  return within(here, path) ?? within(root, path);
}

/** Refuses files and folders of this work tree that say something else than those which loops would read instead. */
export async function refuseOthers(standing: CallerLocation, names: readonly string[]): Promise<void> {
  const { cwd, here } = standing;
  for (const name of names) {
    const path = within(here, resolve(cwd, name));
    const difference = path === null ? null : await differenceAt(standing, path);
    if (difference !== null) throw new UsageError(`${join(standing.here, difference.path)} ${difference.message}`);
  }
}

/** The first file of a path that is not the same in the project; null where all are, and where there is nothing here. */
export async function differenceAt(
  { here, root }: Pick<CallerLocation, "here" | "root">,
  path: string,
): Promise<{ path: string; message: string } | null> {
  const kind = here === root ? null : await kindOf(join(here, path));
  if (kind === null) return null;
  if ((await kindOf(join(root, path))) === null) {
    return { path, message: `is not in ${root}, where loops read it: merge or copy it there first` };
  }
  if (kind === "folder") {
    for (const name of await textsIn([join(here, path), join(root, path)])) {
      const inside = `${path}/${name}`;
      const isGone = (await kindOf(join(here, inside))) === null;
      const difference = isGone
        ? { path: inside, message: gone(root, inside) }
        : await differenceAt({ here, root }, inside);
      if (difference !== null) return difference;
    }
    return null;
  }
  const [text, worked] = await Promise.all([here, root].map((top) => readFile(join(top, path), "utf8")));
  if (sameByHand(text ?? "", worked ?? "")) return null;
  const message = `differs from ${join(root, path)}, which loops read: merge or copy it to ${root}, or run that version with anneal -C ${shellWord(root)}`;
  return { path, message };
}

function within(top: string, path: string): string | null {
  const inside = relative(top, path).replaceAll(sep, "/");
  return inside === ".." || inside.startsWith("../") || isAbsolute(inside) ? null : inside;
}

function gone(root: string, path: string): string {
  return `is gone, but loops read ${join(root, path)}: remove it there too, or run that version with anneal -C ${shellWord(root)}`;
}

async function kindOf(path: string): Promise<"file" | "folder" | null> {
  const found = await stat(path).catch(() => null);
  if (found === null) return null;
  return found.isDirectory() ? "folder" : "file";
}

/** What people write in any of these folders; the engine itself writes artifacts. */
async function textsIn(folders: readonly string[]): Promise<string[]> {
  const names = await Promise.all(folders.map((folder) => readdir(folder, { recursive: true }).catch(() => [])));
  const texts = names.flat().map((name) => name.replaceAll(sep, "/"));
  return [...new Set(texts)].filter((name) => /\.(?:md|ya?ml)$/.test(name) && !/(?:^|\/)artifacts\//.test(name)).sort();
}
