import type { Place } from "./place.ts";
import { git } from "./run.ts";

/** The local branches by their short names, each with the commit at which it stands. */
export async function branches({ root }: Place): Promise<Map<string, string>> {
  const out = await git({ cwd: root, args: ["for-each-ref", "--format=%(objectname) %(refname)", "refs/heads/"] });
  const lines = out.split("\n").filter((line) => line !== "");
  return new Map(
    lines.map((line) => {
      const at = line.indexOf(" ");
      return [line.slice(at + 1 + "refs/heads/".length), line.slice(0, at)];
    }),
  );
}

/** The one of some branches beside which git cannot hold another, as one name would be a folder of the other. */
export function inTheWayOf(wanted: string, others: readonly string[]): string | undefined {
  return others.find((other) => wanted.startsWith(`${other}/`) || other.startsWith(`${wanted}/`));
}
