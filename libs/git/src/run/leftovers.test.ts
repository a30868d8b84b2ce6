import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endLeftovers } from "@anneal/system/processes/leftovers";
import { describe, expect, onTestFinished, test } from "vitest";
import { openRepo } from "../index.ts";
import { makeRepo } from "../testing/make-repo.ts";

const COMMAND = import.meta.resolve("@anneal/system/programs/command");
const LEFTOVERS = import.meta.resolve("@anneal/system/processes/leftovers");

/** A worktree next to another one with a longer name, and a folder where processes leave their numbers; all gone afterwards. */
function places() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "anneal-left-")));
  const pids = join(root, "pids");
  for (const folder of ["pids", "tree/sub", "tree-2", "elsewhere"]) mkdirSync(join(root, folder), { recursive: true });
  symlinkSync(join(root, "tree"), join(root, "link"));
  onTestFinished(() => {
    for (const pid of Object.values(numbersIn(pids))) if (isRunning(pid)) process.kill(pid, "SIGKILL");
    rmSync(root, { recursive: true, force: true });
  });
  return { root, pids, tree: join(root, "tree") };
}

function numbersIn(pids: string): Record<string, number> {
  return Object.fromEntries(readdirSync(pids).map((name) => [name, Number(readFileSync(join(pids, name), "utf8"))]));
}

/** A killed process without a parent that waits for it stays listed, as a zombie. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

/** A process that nobody is the parent of, under a name, started in a folder and with an environment. */
function stray(name: string, { folder, env, does = "exec sleep 600" }: { folder: string; env: string; does?: string }) {
  return `(cd "$ROOT/${folder}" && ${env} setsid sh -c 'echo $$ > "$0/${name}"; ${does}' "$ROOT/pids" &)`;
}
const wiped = 'env -i PATH="$PATH"';

/** Has commands started by a process that is then killed, and gives their numbers. */
function leftByAKilledOwner({ root, pids }: ReturnType<typeof places>, scripts: Record<string, string>) {
  const names = Object.keys(scripts);
  const all = names.map((name) => `[ -s "$ROOT/pids/${name}" ]`).join(" && ");
  const script = `${Object.values(scripts).join("\n")}\nuntil ${all}; do :; done; echo ready; sleep 600`;
  const owner = `const { runCommand } = await import(${JSON.stringify(COMMAND)});
    const kill = () => process.kill(process.pid, "SIGKILL");
    const options = { cwd: ${JSON.stringify(join(root, "link"))}, timeoutMs: 60000, env: { ROOT: ${JSON.stringify(root)} }, onOutput: kill };
    const ran = await runCommand(["sh", "-c", ${JSON.stringify(script)}], options);
    console.error(ran);`;
  const { signal, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", owner], { encoding: "utf8" });
  expect([signal, stderr]).toEqual(["SIGKILL", ""]);
  return numbersIn(pids);
}

const living = (numbers: Record<string, number>) =>
  Object.keys(numbers)
    .filter((name) => isRunning(numbers[name] ?? 0))
    .sort();

describe.runIf(process.platform === "linux")("what a killed owner left running", () => {
  test("is ended in its worktree, however it hides, and nothing else is", () => {
    const here = places();
    const numbers = leftByAKilledOwner(here, {
      marked: stray("marked", { folder: "elsewhere", env: "" }),
      unmarked: stray("unmarked", { folder: "tree", env: wiped }),
      deeper: stray("deeper", { folder: "tree/sub", env: wiped }),
      child: stray("parent", {
        folder: "tree",
        env: wiped,
        does: 'sh -c "cd /; echo \\$\\$ > $0/child; exec sleep 600"; :',
      }),
      neighbour: stray("neighbour", { folder: "tree-2", env: wiped }),
      person: stray("person", { folder: "tree", env: `${wiped} TERM=xterm` }),
    });
    expect(living(numbers)).toEqual(["child", "deeper", "marked", "neighbour", "parent", "person", "unmarked"]);
    expect(endLeftovers(here.tree)).toEqual([]);
    expect(living(numbers)).toEqual(["neighbour", "person"]);
  });

  test("is ended also where the worktree was removed and made anew", () => {
    const here = places();
    const numbers = leftByAKilledOwner(here, { old: stray("old", { folder: "tree", env: wiped }) });
    rmSync(here.tree, { recursive: true });
    mkdirSync(here.tree);
    expect(living(numbers)).toEqual(["old"]);
    expect(endLeftovers(here.tree)).toEqual([]);
    expect(living(numbers)).toEqual([]);
  });
});

test.runIf(process.platform === "linux")("what a commit hook left running is ended too, wherever it went", async () => {
  using repo = makeRepo({ a: "1\n" });
  const { pids } = places();
  const hook = `#!/bin/sh\n(cd / && setsid sh -c 'echo $$ > "$0/hooked"; exec sleep 600' "${pids}" > /dev/null 2>&1 &)
    until [ -s "${pids}/hooked" ]; do :; done\n`;
  writeFileSync(join(repo.dir, ".git/hooks/pre-commit"), hook, { mode: 0o755 });
  repo.write({ a: "2\n" });
  await (await openRepo(repo.dir)).prepareCommit({ message: "m", date: "1700000000 +0000" });
  expect(living(numbersIn(pids))).toEqual(["hooked"]);
  expect(endLeftovers(repo.dir)).toEqual([]);
  expect(living(numbersIn(pids))).toEqual([]);
});

describe.runIf(process.platform === "linux")("what somebody still cares for", () => {
  test("stays: a process in the worktree whose parent lives", async () => {
    const { tree } = places();
    const child = spawn("sh", ["-c", "echo up; exec sleep 600"], { cwd: tree, env: { PATH: process.env.PATH } });
    onTestFinished(() => void child.kill("SIGKILL"));
    await once(child.stdout, "data");
    endLeftovers(tree);
    expect(isRunning(child.pid ?? 0)).toBe(true);
  });

  test("stays: this process and all above it, even where they run in the worktree and carry its mark", () => {
    const { tree } = places();
    const inner = `const { endLeftovers, runMark } = await import(${JSON.stringify(LEFTOVERS)});
      console.log("mark", process.env.ANNEAL_RUN.startsWith(runMark(process.cwd()).text.slice(0, 25)));
      console.log("left", JSON.stringify(endLeftovers(process.cwd())));`;
    const outer = `const { runCommand } = await import(${JSON.stringify(COMMAND)});
      const inner = [process.execPath, "--input-type=module", "-e", ${JSON.stringify(inner)}];
      const script = 'setsid "$@"; echo "shell is still there"';
      const ran = await runCommand(["sh", "-c", script, "sh", ...inner], { cwd: process.cwd(), timeoutMs: 60000 });
      console.log(ran.output + ran.status);`;
    const ran = spawnSync(process.execPath, ["--input-type=module", "-e", outer], { cwd: tree, encoding: "utf8" });
    expect(ran).toMatchObject({ status: 0, stdout: "mark true\nleft []\nshell is still there\n0\n" });
  });
});
