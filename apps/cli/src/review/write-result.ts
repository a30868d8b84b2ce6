import { existsSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";

/** Writes a result whole or not at all; a device or a pipe is written to, never replaced, and a link is followed. */
export function writeResult(file: string, text: string): void {
  const path = existsSync(file) ? realpathSync(file) : file;
  const old = existsSync(path) ? statSync(path) : null;
  if (old !== null && !old.isFile()) {
    writeFileSync(path, text);
    return;
  }
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, text, old === null ? {} : { mode: old.mode });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
