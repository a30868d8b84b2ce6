import { lstat, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { writeAtomic } from "@anneal/system/files/atomic";
import { OutsideJail, systemCode } from "@anneal/system/files/errors";

/** A text and where it belongs below some root, with slashes. */
export interface TextAtPath {
  path: string;
  content: string;
}

/** Writes files below a root, each in one step; a link on the way is refused, so that nothing lands outside of it. */
export async function writeTexts(root: string, texts: readonly TextAtPath[]): Promise<void> {
  for (const { path, content } of texts) {
    const parts = path.split("/");
    if (parts.some((part) => part === "" || part === "." || part === "..")) {
      throw new OutsideJail(path, "it is not a path below a folder");
    }
    await realFolders(root, parts.slice(0, -1));
    await writeAtomic(join(root, path), content, { jail: root });
  }
}

async function realFolders(root: string, parts: readonly string[]): Promise<void> {
  let folder = root;
  for (const part of parts) {
    folder = join(folder, part);
    const found = await lstat(folder).catch((error: unknown) => {
      if (systemCode(error) === "ENOENT") return null;
      throw error;
    });
    if (found === null) await mkdir(folder, { recursive: true });
    else if (!found.isDirectory()) throw new OutsideJail(folder, `it is not a folder below ${dirname(folder)}`);
  }
}
