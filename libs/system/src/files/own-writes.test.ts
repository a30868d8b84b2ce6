import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { writeAtomic } from "./atomic.ts";
import { isOwnWrite } from "./own-writes.ts";

test("a file is our own until somebody writes it, also one who gives it back its size and time", async () => {
  const folder = mkdtempSync(join(tmpdir(), "anneal-own-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "a");
  await writeAtomic(path, "ours");
  expect(isOwnWrite(path)).toBe(true);
  execFileSync("cp", ["-p", path, `${path}-kept`]);
  writeFileSync(path, "evil");
  execFileSync("touch", ["-r", `${path}-kept`, path]);
  expect(isOwnWrite(path)).toBe(false);
});
