import { isAbsolute, relative, resolve } from "node:path";
import { openRepo, UsageError } from "@anneal/engine";
import { type NamedStories, problemText } from "@anneal/engine/stories";
import { harmlessLine } from "../style.ts";

/** Files that a person named from here, as paths from the project's top. */
export async function fromTop(files: readonly string[]): Promise<string[]> {
  // In a worktree the same file of the project itself is meant.
  const { root } = await openRepo(process.cwd());
  return files.map((file) => {
    const path = relative(root, resolve(process.cwd(), file));
    if (path.startsWith("..") || isAbsolute(path)) throw new UsageError(`${file} is not a file of this project`);
    return path;
  });
}

/** Every mistake at its place. */
export function tellProblems({ problems }: Pick<NamedStories, "problems">): void {
  for (const problem of problems) process.stderr.write(`anneal story: ${harmlessLine(problemText(problem))}\n`);
}
