import type { ChangedFile } from "@anneal/types";

const LINK = "120000";

export function isLink({ mode, status }: ChangedFile): boolean {
  return mode === LINK && status !== "deleted";
}

/** Why what stands behind a link was not seen; undefined for files and for links to a file or folder of the repository. */
export function hiddenBehindLink(file: ChangedFile, holds: (path: string) => boolean): string | undefined {
  if (!isLink(file)) return undefined;
  const target = targetOf(file);
  if (target === null) return undefined;
  const path = target.startsWith("/") ? null : resolved(file.path, target);
  if (path === null) return "a link that leads out of the repository";
  return holds(path) ? undefined : "a link to a path that the repository does not have";
}

/** The new target: the one line that a link has; null where that is as it was. */
function targetOf({ hunks }: ChangedFile): string | null {
  const line = hunks.flatMap(({ lines }) => lines).findLast((one) => one.startsWith("+"));
  return line === undefined ? null : line.slice(1);
}

function resolved(link: string, target: string): string | null {
  const names = link.split("/").slice(0, -1);
  for (const name of target.split("/")) {
    if (name === "" || name === ".") continue;
    if (name !== "..") names.push(name);
    else if (names.pop() === undefined) return null;
  }
  return names.join("/");
}
