import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { ownTemporary, removeAbandoned } from "./temporary.ts";

const TEMPORARY = new URL("./temporary.ts", import.meta.url).href;

test.runIf(process.platform === "linux")("what a killed process left goes, what a living one uses stays", async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "anneal-temporary-")));
  vi.stubEnv("TMPDIR", folder);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });
  const code = `const { ownTemporary } = await import(${JSON.stringify(TEMPORARY)});
    for (const kind of ["home", "probe", "agent", "review"]) console.log(await ownTemporary(kind)); process.kill(process.pid, "SIGKILL");`;
  const { stdout, signal } = spawnSync(process.execPath, ["--input-type=module", "-e", code], { encoding: "utf8" });
  const left = stdout.trim().split("\n");
  expect([signal, left.length, left.every(existsSync)]).toEqual(["SIGKILL", 4, true]);
  const own = await ownTemporary("home");
  // Of another container, of a process that has our number now, and of somebody else altogether.
  const foreign = basename(own).replace(/-\d+-(\w{6})$/, "-1-$1");
  const reused = basename(own).replace(/^(anneal-home-\d+)-\d+/, "$1-1");
  const others = ["anneal-home-abc123", foreign, "mine"].map((name) => join(folder, name));
  for (const path of [...others, join(folder, reused)]) mkdirSync(path);

  expect((await removeAbandoned()).sort()).toEqual([...left, join(folder, reused)].sort());
  expect([own, ...others].every(existsSync)).toBe(true);
  expect(left.some(existsSync)).toBe(false);
});
