import { isUtf8 } from "node:buffer";
import { realpath } from "node:fs/promises";
import { relative, sep } from "node:path";
import { openRepo } from "@anneal/git";
import { EditError, type FileEdit } from "../scripted/edits.ts";

/** Looks at a work tree now, and tells later what has been changed in it since. */
export type WorktreeDiff = (cwd: string) => Promise<() => Promise<FileEdit[]>>;

/** Compares by git trees: ignored files do not count, and commits that the agent made do not hide its edits. */
export const gitWorktreeDiff: WorktreeDiff = async (cwd) => {
  const repo = await openRepo(cwd);
  const prefix = relative(await realpath(repo.root), await realpath(cwd))
    .split(sep)
    .join("/");
  const base = await repo.worktreeTree();
  return async () => {
    const edits: FileEdit[] = [];
    const blobs = repo.blobs();
    try {
      const head = await repo.worktreeTree();
      for await (const { path, oldPath, status, mode, newBlob } of repo.changedFiles({
        base,
        head,
        headKind: "tree",
      })) {
        if (status === "renamed" && oldPath !== undefined) edits.push({ path: under(prefix, oldPath), delete: true });
        if (status === "deleted") edits.push({ path: under(prefix, path), delete: true });
        else edits.push(written(under(prefix, path), mode, await blobs.bytes(newBlob)));
      }
    } finally {
      blobs.close();
    }
    // Removals first: a file may have made room for a folder of the same name.
    return edits.sort((a, b) => Number("delete" in b) - Number("delete" in a));
  };
};

function written(path: string, mode: string, content: Buffer | null): FileEdit {
  if (content === null) throw new EditError(`${path} is too large to record`);
  if (mode === "120000") return { path, link: content.toString("utf8") };
  const body = isUtf8(content) ? { content: content.toString("utf8") } : { base64: content.toString("base64") };
  return mode === "100755" ? { path, ...body, executable: true } : { path, ...body };
}

/** The path as seen from the folder that the agent ran in. */
function under(prefix: string, path: string): string {
  if (prefix === "") return path;
  if (!path.startsWith(`${prefix}/`)) throw new EditError(`${path} lies outside the folder that the agent ran in`);
  return path.slice(prefix.length + 1);
}
