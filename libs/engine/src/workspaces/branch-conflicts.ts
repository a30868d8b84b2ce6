import { branchConflictReason, branchConflictText, inTheWayOf, type Repo } from "@anneal/git";

/** A branch that a loop would make, and where somebody asks for it. */
export interface WantedBranch {
  branch: string;
  file: string;
  line: number;
}

/** Branches that git cannot create next to existing ones, or next to each other, each with its location. */
export async function branchConflicts(
  repo: Repo,
  wanted: readonly WantedBranch[],
): Promise<{ file: string; line: number; message: string }[]> {
  const there = (await repo.refs("refs/heads/")).map(({ name }) => name);
  const toMake = wanted.filter(({ branch }) => !there.includes(branch));
  return toMake.flatMap(({ branch, file, line }, at) => {
    const standing = inTheWayOf(branch, there);
    if (standing !== undefined) return [{ file, line, message: branchConflictText(branch, standing) }];
    const earlier = toMake.slice(0, at).find((one) => inTheWayOf(branch, [one.branch]) !== undefined);
    if (earlier === undefined) return [];
    const where = `${earlier.file}:${earlier.line}`;
    const message = `${branchConflictReason(branch, earlier.branch)}, which ${where} asks for: give one of them another name`;
    return [{ file, line, message }];
  });
}
