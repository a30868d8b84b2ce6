import type { Place } from "./place.ts";
import { git } from "./run.ts";

/** Files and folders that are neither tracked nor ignored; a folder that holds nothing else is given as one, with a slash at its end. */
export async function untracked({ root }: Place): Promise<string[]> {
  const args = ["ls-files", "--others", "--exclude-standard", "--directory", "--no-empty-directory", "-z"];
  return (await git({ cwd: root, args })).split("\0").filter(Boolean);
}

/** Whether a file is part of what will be committed anyway. */
export async function tracks({ root }: Place, path: string): Promise<boolean> {
  return (await git({ cwd: root, args: ["ls-files", "-z", "--", `:(literal)${path}`] })) !== "";
}
