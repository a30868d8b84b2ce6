import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Clock } from "@anneal/adapters";
import { systemClock } from "@anneal/adapters/clock";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { TestRepo } from "../../../adapters/src/testing/make-repo.ts";
import { approve, implement, own, project, reject } from "./testing/project.ts";

/** A machine without bubblewrap: nothing there keeps a program from any file of the user. */
function withoutBubblewrap(repo: TestRepo): void {
  const bin = join(repo.dir, ".automaker/bin");
  mkdirSync(bin);
  for (const name of ["git", "sh", "cat", "rm", "echo", "true", "printf", "mkdir"]) {
    const found = (process.env.PATH ?? "")
      .split(delimiter)
      .map((folder) => join(folder, name))
      .find(isThere);
    if (found !== undefined) symlinkSync(found, join(bin, name));
  }
  vi.stubEnv("PATH", bin);
  onTestFinished(() => void vi.unstubAllEnvs());
}

function isThere(path: string): boolean {
  try {
    return readFileSync(path).length > 0;
  } catch {
    return false;
  }
}

/** Backs off as often as it should, and never for long. */
const IMPATIENT: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 20), signal) };

/** A project in which the user has work under way that no commit holds, and the events of the loop in it. */
async function ran(act: string, part: "fixer" | "testCommand") {
  const steps = [implement, ...(part === "fixer" ? [reject] : []), approve];
  const repo = project({ a: { steps } });
  withoutBubblewrap(repo);
  const script = join(repo.dir, ".automaker/act.sh");
  writeFileSync(script, `#!/bin/sh\ncat >/dev/null; ${act}\necho '{"text":"Done."}'\n`);
  chmodSync(script, 0o755);
  const file = join(repo.dir, ".automaker/settings.json");
  const settings = JSON.parse(readFileSync(file, "utf8"));
  if (part === "fixer") settings.agents.fixer = `command:${script}`;
  else settings.testCommand = [script];
  writeFileSync(file, JSON.stringify(settings));
  repo.write({ "README.md": "unsaved\n", "untracked.txt": "precious\n" });
  const seen: string[] = [];
  const runtime = await own(repo, { clock: IMPATIENT, onEvent: ({ event }) => seen.push(JSON.stringify(event)) });
  const state = await runtime.run("a");
  return { repo, state, seen: seen.join("\n") };
}

const ACTS = [
  { what: "removes .git", act: "rm -f .git" },
  { what: "removes .git and fails", act: "rm -f .git; exit 1" },
  { what: "leaves an empty folder in its place", act: "rm -f .git; mkdir .git" },
  { what: "leads it to the user's own", act: "echo 'gitdir: ../../.git' > .git" },
  {
    what: "makes a repository of its own",
    act: "rm -f .git; git init -q; git -c user.name=x -c user.email=x@y commit -qm x --allow-empty",
  },
  { what: "bends git's record of it", act: 'echo . > "$(git rev-parse --git-dir)/commondir"' },
];

describe.for(["fixer", "testCommand"] as const)("a %s that", (part) => {
  test.for(ACTS)("$what never leads us to the user's own work tree", async ({ act }) => {
    const { repo, state, seen } = await ran(act, part);
    expect(readFileSync(join(repo.dir, "README.md"), "utf8")).toBe("unsaved\n");
    expect(readFileSync(join(repo.dir, "untracked.txt"), "utf8")).toBe("precious\n");
    expect(repo.git("symbolic-ref", "HEAD")).toBe("refs/heads/main");
    expect(repo.git("log", "--format=%s", "main")).toBe("first");
    expect(repo.git("status", "--porcelain")).toBe(" M README.md\n?? untracked.txt");
    expect(repo.git("ls-tree", "--name-only", "feature/a")).not.toContain("untracked");
    expect(repo.git("-C", ".worktrees/a", "rev-parse", "--show-toplevel")).toBe(join(`${repo.dir}.anneal`, "a"));
    expect(repo.git("-C", ".worktrees/a", "status", "--porcelain")).not.toMatch(/README|untracked/);
    expect(state).not.toMatchObject({ outcome: "passed" });
    if (!act.includes("exit")) expect(seen).toMatch(/\.git\b.*put back/);
  });
});
