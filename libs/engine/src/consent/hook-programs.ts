import { readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join, posix, relative, sep } from "node:path";
import type { Repo } from "@anneal/git";
import type { NamedProgram } from "@anneal/types";
import { filesNamed, type NamedFile, type ReadFiles } from "./files-named.ts";
import { namedProgram } from "./named-program.ts";

/** The only ones that are run; see docs/how/checks.md. */
const HOOKS = ["pre-commit", "commit-msg"];
/** What tools that install hooks of their own go by. */
const HOOK_SETTINGS = [".pre-commit-config.yaml", "lefthook.yml", "lefthook.yaml", ".lefthook.yml", ".overcommit.yml"];

/**
 * Hooks that come with the tree, by their content and by that of the files that they name; of the user's own hooks what they
 * name in the tree.
 */
export async function hookPrograms(repo: Repo, read: ReadFiles): Promise<NamedProgram[]> {
  const folder = await repo.hooksFolder();
  const candidates = HOOKS.flatMap((name) => hooksAt(repo, join(folder, name)));
  const programs: NamedProgram[] = [];
  for (const { place, path, text } of candidates) {
    const [content] = path === null ? [text] : await read([path]);
    if (content == null) continue;
    const own: NamedFile[] = path === null ? [] : [{ path, content }];
    const files = [...own, ...(await filesNamed(content.toString("utf8"), read)), ...(await settingsOf(read))];
    // A hook of the user's own that names nothing of the tree is theirs alone.
    if (files.length > 0) programs.push(namedProgram({ use: "hook", place, command: basename(place) }, files));
  }
  return programs;
}

interface HookFile {
  place: string;
  /** From the top of the tree, where it lies there. */
  path: string | null;
  text: Buffer | null;
}

/** A hook, and in the tree one of its name in the folder above, which stubs such as husky's run. */
function hooksAt({ root }: Repo, file: string): HookFile[] {
  const inTree = withinTree(root, file);
  if (inTree !== null) {
    const above = posix.join(dirname(dirname(inTree)), basename(inTree));
    const paths = above.includes("/") ? [inTree, above] : [inTree];
    return paths.map((path) => ({ place: path, path, text: null }));
  }
  try {
    const linked = withinTree(root, realpathSync(file));
    if (linked !== null) return [{ place: linked, path: linked, text: null }];
    return [{ place: file, path: null, text: readFileSync(file) }];
  } catch {
    return [];
  }
}

function withinTree(root: string, file: string): string | null {
  const path = relative(realpathSync(root), file);
  return path.startsWith("..") || path === ".git" || path.startsWith(`.git${sep}`) ? null : path.split(sep).join("/");
}

async function settingsOf(read: ReadFiles): Promise<NamedFile[]> {
  const contents = await read(HOOK_SETTINGS);
  return HOOK_SETTINGS.flatMap((path, at) => {
    const content = contents[at];
    return content == null ? [] : [{ path, content }];
  });
}
