import type { Place } from "./place.ts";
import { git } from "./run.ts";

/** The short names of the local branches. */
export async function branches({ root }: Place): Promise<string[]> {
  const out = await git({ cwd: root, args: ["for-each-ref", "--format=%(refname)", "refs/heads/"] });
  return out.split("\n").flatMap((ref) => (ref === "" ? [] : [ref.slice("refs/heads/".length)]));
}

/** The one of some branches beside which git cannot hold another, as one name would be a folder of the other. */
export function inTheWayOf(wanted: string, others: readonly string[]): string | undefined {
  return others.find((other) => wanted.startsWith(`${other}/`) || other.startsWith(`${wanted}/`));
}
