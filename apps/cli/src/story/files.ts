import { UsageError } from "@anneal/engine";
import { type CallerLocation, fromTop } from "@anneal/engine/project";
import { type NamedStories, problemText } from "@anneal/engine/stories";
import { harmlessLine } from "../style.ts";

/** Files that a person named from here, as paths from the project's top. */
export function pathsOf(files: readonly string[], standing: CallerLocation): string[] {
  return files.map((file) => {
    const path = fromTop(standing, file);
    if (path === null) throw new UsageError(`${file} is not a file of this project`);
    return path;
  });
}

/** Every mistake at its place. */
export function tellProblems({ problems }: Pick<NamedStories, "problems">): void {
  for (const problem of problems) process.stderr.write(`anneal story: ${harmlessLine(problemText(problem))}\n`);
}
