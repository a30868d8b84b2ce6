import type { RepoLocation } from "../../run/repo-location.ts";
import { git } from "../../run/run.ts";

/** A work tree of the repository, as git has it on its list. */
export interface Worktree {
  path: string;
  kind: "main" | "bare" | "linked";
  /** Null on a detached head. */
  branch: string | null;
  /** Why git would drop it from the list, such as a folder that is gone; null where it is well. */
  prunable: string | null;
}

/** All work trees, the main one first. */
export async function listWorktrees({ root }: RepoLocation): Promise<Worktree[]> {
  const listed = await git({ cwd: root, args: ["worktree", "list", "--porcelain", "-z"] });
  const entries = listed.split("\0\0").filter(Boolean);
  return entries.map((entry, index) => readEntry(entry.split("\0"), index === 0 ? "main" : "linked"));
}

function readEntry(lines: string[], location: "main" | "linked"): Worktree {
  const fields = new Map<string, string>();
  for (const line of lines) {
    const space = line.indexOf(" ");
    if (space < 0) fields.set(line, "");
    else fields.set(line.slice(0, space), line.slice(space + 1));
  }
  return {
    path: fields.get("worktree") ?? "",
    kind: fields.has("bare") ? "bare" : location,
    branch: fields.get("branch")?.replace(/^refs\/heads\//, "") ?? null,
    prunable: fields.get("prunable") ?? null,
  };
}
