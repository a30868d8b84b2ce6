import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../testing/temp-folder.ts";
import { FileBusy } from "./errors.ts";
import { underLock, whileLocked } from "./file-lock.ts";

test.for([
  { what: "a file of something else", put: (path: string) => writeFileSync(path, "no database at all\n".repeat(100)) },
  { what: "a folder", put: (path: string) => mkdirSync(path) },
])("$what in the place of a lock is named with what to do, and the lock works once it is gone", async ({ put }) => {
  using folder = tempFolder();
  const lock = join(folder.dir, "files.lock");
  put(lock);
  for (const take of [() => underLock(lock, () => 1), () => whileLocked(lock, async () => 1)]) {
    const error: unknown = await take().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(FileBusy);
    expect(String(error)).toMatch(/files\.lock was not changed: this file is not a lock .* move it away/);
  }
  rmSync(lock, { recursive: true });
  expect(await underLock(lock, () => 1)).toBe(1);
});
