import type { RepoLocation } from "../../run/repo-location.ts";
import { gitBytes } from "../../run/run.ts";

/**
 * The bytes of files in a commit or tree, links followed within it; null where there is no file. A link that leads out of the
 * tree is reported as such, since what it leads to is another file wherever the tree is checked out.
 */
export async function contentAt(
  { root }: RepoLocation,
  commit: string,
  paths: readonly string[],
): Promise<(Buffer | null)[]> {
  const asked = paths.map((path) => (/[\n\0]/.test(path) ? null : path));
  const input = asked.map((path) => `${path === null ? "" : `${commit}:${path}`}\n`).join("");
  if (asked.length === 0) return [];
  const output = await gitBytes({ cwd: root, args: ["cat-file", "--batch", "--follow-symlinks"], input });
  let at = 0;
  return asked.map(() => {
    const end = output.indexOf(10, at);
    const header = output.toString("utf8", at, end);
    at = end + 1;
    const found = /^(?:[0-9a-f]+ (\w+)|(symlink|dangling|loop|notdir)) (\d+)$/.exec(header);
    if (found === null) return null;
    const [, type, way, size = "0"] = found;
    const content = output.subarray(at, at + Number(size));
    at += Number(size) + 1;
    if (way === "symlink") return Buffer.concat([Buffer.from("link out of the tree: "), content]);
    return type === "blob" ? Buffer.from(content) : null;
  });
}
