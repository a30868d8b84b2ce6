import { fstatSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";

/** Writes a result whole or not at all; a device or a pipe is written to, never replaced, and a link is followed. */
export function writeResult(file: string, text: string): void {
  const old = statSync(file, { throwIfNoEntry: false });
  if (old !== undefined && !old.isFile()) {
    // Our own standard output by another name cannot always be opened again.
    const out = fstatSync(1);
    writeFileSync(old.ino === out.ino && old.dev === out.dev ? 1 : file, text);
    return;
  }
  const path = old === undefined ? file : realpathSync(file);
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, text, old === undefined ? {} : { mode: old.mode });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
