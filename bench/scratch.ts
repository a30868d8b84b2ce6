import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Fixture } from "./changes.ts";

/** A folder that goes away with `using`. */
export interface Scratch extends Disposable {
  dir: string;
}

export function scratch(): Scratch {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "anneal-bench-")));
  return { dir, [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }) };
}

/** Makes a repository whose branch `topic` changes `main` as the fixture says. */
export function makeRepository(dir: string, { before, after }: Fixture): string {
  mkdirSync(dir);
  git(dir, "init", "--quiet", "--initial-branch=main");
  commit(dir, before, "before");
  git(dir, "switch", "--quiet", "--create", "topic");
  for (const path of Object.keys(before)) if (after[path] === undefined) rmSync(join(dir, path));
  commit(dir, after, "after");
  // Packed, as most objects of a real clone are.
  git(dir, "gc", "--quiet");
  return dir;
}

export function git(dir: string, ...args: string[]): string {
  const identity = ["-c", "user.name=Robin Example", "-c", "user.email=robin@example.com", "-c", "gc.auto=0"];
  const { status, stdout, stderr } = spawnSync("git", [...identity, ...args], { cwd: dir, encoding: "utf8" });
  if (status !== 0) throw new Error(`git ${args[0]} failed: ${stderr}`);
  return stdout;
}

function commit(dir: string, files: Record<string, string>, message: string): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  git(dir, "add", "--all");
  git(dir, "commit", "--quiet", "--message", message);
}
