import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A folder that goes away with `using`. */
export interface TempFolder extends Disposable {
  dir: string;
  path(name: string): string;
  /** Writes in place, as most editors and tools do; gives the path. */
  write(name: string, content: string | Uint8Array, mode?: number): string;
  read(name: string): string;
  exists(name: string): boolean;
  /** Every file below, sorted, as path → content in latin1, so that equal means equal to the byte. */
  files(): Record<string, string>;
  mode(name: string): number;
}

export function tempFolder(): TempFolder {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "anneal-files-")));
  const path = (name: string) => join(dir, name);
  return {
    dir,
    path,
    write(name, content, mode) {
      mkdirSync(dirname(path(name)), { recursive: true });
      writeFileSync(path(name), content);
      if (mode !== undefined) chmodSync(path(name), mode);
      return path(name);
    },
    read: (name) => readFileSync(path(name), "utf8"),
    exists: (name) => existsSync(path(name)),
    files() {
      const names = filesBelow(dir)
        .map((file) => file.slice(dir.length + 1))
        .sort();
      return Object.fromEntries(names.map((name) => [name, readFileSync(path(name), "latin1")]));
    },
    mode: (name) => statSync(path(name)).mode & 0o7777,
    [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }),
  };
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(path);
    return entry.isFile() ? [path] : [];
  });
}
