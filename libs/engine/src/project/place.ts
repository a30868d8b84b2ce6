import { accessSync, constants, existsSync, realpathSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { diskFailure } from "@anneal/adapters/files";
import { openRepo, type Repo } from "@anneal/adapters/git";
import { readNote } from "@anneal/adapters/workspace";
import { runtimePatterns } from "../embedded/ignore-file.ts";
import { isExchanged } from "../embedded/kept-log.ts";
import { LOG_FILES } from "../embedded/log-files.ts";
import { placesOf } from "../embedded/places.ts";
import { StoreError } from "../embedded/store-error.ts";
import { UsageError } from "../errors.ts";
import { shellWord } from "../shell-word.ts";

/** The project that a folder belongs to. In a loop's workspace that is the project which the loop works for. */
export async function projectAt(dir: string): Promise<Repo> {
  const repo = await mainOf(await openRepo(dir));
  // Whoever can commit a log could say in it that everything was reviewed.
  const { staged, committed } = await repo.held(LOG_FILES.flatMap((path) => [path, ...realPath(repo.root, path)]));
  const [first] = [...staged, ...committed];
  if (first === undefined) return repo;
  const what =
    staged.length > 0
      ? `is tracked by git: ${removing(staged)}`
      : "is in the last commit, though it is taken out of the index: git commit";
  // Nothing of it is lost: a second name keeps it.
  const own = isExchanged(placesOf(repo.root))
    ? " This branch has put another log there than your own, which is back when you leave it (git checkout -)."
    : "";
  throw new StoreError("tracked", `${join(repo.root, first)} ${what}.${own}`);
}

/** The same for whoever writes there. */
export async function projectToWrite(dir: string): Promise<Repo> {
  const repo = await projectAt(dir);
  refuseUnwritable(repo.root);
  await hideFromGit(repo);
  return repo;
}

/** Throws where nothing can be written in a project, before anything begins. */
export function refuseUnwritable(root: string): void {
  const folder = join(root, ".automaker");
  const path = existsSync(folder) ? folder : root;
  try {
    accessSync(path, constants.W_OK);
  } catch (error) {
    throw new UsageError(`nothing can be written to ${path}: ${diskFailure(error) ?? "it is not yours to write to"}`);
  }
}

/**
 * Hides what the engine owns from git on every branch: `.automaker/.gitignore` is only there on those that have it, and on
 * any other an ordinary `git add .` would commit the log, and the next switch of branches would remove it.
 */
export async function hideFromGit(repo: Repo): Promise<void> {
  const folders = [".automaker", ...realPath(repo.root, ".automaker")];
  await repo.exclude(folders.flatMap(runtimePatterns));
}

/** One command for all of them. */
function removing(paths: string[]): string {
  const isFolder = (path: string) => FOLDERS.some((folder) => path.toLowerCase().endsWith(folder));
  return ["git rm", ...(paths.some(isFolder) ? ["-r"] : []), "--cached", ...paths.map(shellWord)].join(" ");
}

const FOLDERS = LOG_FILES.filter((path) => path.endsWith("/")).map((path) => `/${basename(path)}`);

/** Where a path of the project really lies, if links lead to another place of it. */
function realPath(root: string, path: string): string[] {
  try {
    const real = relative(realpathSync(root), realpathSync(join(root, path)));
    if (real === path.replace(/\/$/, "") || real.startsWith("..")) return [];
    return [path.endsWith("/") ? `${real}/` : real];
  } catch {
    return [];
  }
}

async function mainOf(repo: Repo): Promise<Repo> {
  const note = readNote(repo.root);
  if (note !== null) return await openRepo(note.project);
  if (repo.gitDir === repo.commonDir) return repo;
  const [main] = await repo.listWorktrees();
  return main?.kind === "main" ? await openRepo(main.path) : repo;
}
