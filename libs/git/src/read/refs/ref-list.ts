import type { RepoLocation } from "../../run/repo-location.ts";
import { git } from "../../run/run.ts";

/** A name that git has for something. */
export interface Ref {
  /** Below the folder that was asked for. */
  name: string;
  at: string;
}

/** All refs of a folder, such as `refs/heads/`. */
export async function refs({ root }: RepoLocation, folder: string): Promise<Ref[]> {
  const listed = await git({ cwd: root, args: ["for-each-ref", "--format=%(objectname) %(refname)", folder] });
  const lines = listed.split("\n").filter((line) => line !== "");
  return lines.map((line) => {
    const [at = "", name = ""] = line.split(" ");
    return { name: name.slice(folder.length), at };
  });
}
