import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A path in the temp folder that goes away with `using`. */
export interface TempPath extends Disposable {
  path: string;
}

export function tempFolder(): TempPath {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "anneal-files-")));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** A script for the scripted reviewer: its steps, or the text of a file that is no script. */
export function scriptFile(script: object[] | string): TempPath {
  const folder = tempFolder();
  const path = join(folder.path, "script.json");
  writeFileSync(path, typeof script === "string" ? script : JSON.stringify({ steps: script }));
  return { path, [Symbol.dispose]: folder[Symbol.dispose] };
}
