import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeRepo, type TestRepo } from "../../../adapters/src/testing/make-repo.ts";
import { openStore } from "../embedded/index.ts";

const CHILD = new URL("./testing/kill-child.ts", import.meta.url).pathname;
const FEATURE = { id: "f1", title: "Add login", description: "Users log in.", status: "backlog" };
const review = (decision: string, issue: string) =>
  `**[${decision}]**\n\n### Issues Found\n${issue}\n\n### Summary\nAs it stands.\n\nEND OF REVIEW\n`;
const ISSUE = "- **[CODE]** - error: Empty passwords get in\n  - Description: no check\n  - File: auth.js\n  - Line: 1";
const SCRIPT = {
  name: "scripted",
  steps: [
    {
      role: "implementer",
      answer: "First try.",
      edits: [{ path: "auth.js", content: "export const ok = () => true;\n" }],
    },
    { role: "reviewer", answer: review("REJECTED", ISSUE) },
    {
      role: "fixer",
      answer: "Checked.",
      edits: [{ path: "auth.js", content: "export const ok = (p) => p.length > 7;\n" }],
    },
    { role: "reviewer", answer: review("APPROVED", "None") },
  ],
};

function project(): TestRepo {
  const repo = makeRepo({
    "README.md": "hello\n",
    ".gitignore": ".automaker/\n",
    "script.json": JSON.stringify(SCRIPT),
  });
  const folder = join(repo.dir, ".automaker/features/f1");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "feature.json"), `${JSON.stringify(FEATURE, null, 2)}\n`);
  return repo;
}

/** Runs the feature in a process of its own; how it ended, and what it printed. */
function run(repo: TestRepo, env: Record<string, string> = {}): Promise<{ signal: string | null; out: string }> {
  const script = `scripted:${join(repo.dir, "script.json")}`;
  const child = spawn(process.execPath, ["--conditions=source", CHILD, repo.dir, script], {
    env: { PATH: process.env.PATH, HOME: repo.dir, GIT_CONFIG_GLOBAL: "/dev/null", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  child.stdout.on("data", (chunk) => (out += chunk));
  child.stderr.on("data", (chunk) => (out += chunk));
  return new Promise((resolve) => child.on("close", (_code, signal) => resolve({ signal, out: out.trim() })));
}

/** Everything that must not depend on where the process died: commits, files, and the log without its attempts. */
function result(repo: TestRepo) {
  const folder = join(repo.dir, ".automaker/features/f1");
  const files = Object.fromEntries(
    readdirSync(folder)
      .sort()
      .map((name) => [name, readFileSync(join(folder, name), "utf8")]),
  );
  const store = openStore(repo.dir, { clock: { now: () => 0 } });
  const log = [...store.events("f1~1")].map(({ event, stage }) => ({ event, stage }));
  store.close();
  const found = {
    commits: repo.git("log", "--format=%H %T %s", "feature/f1"),
    status: repo.git("-C", join(repo.dir, ".worktrees/f1"), "status", "--porcelain"),
    files,
    log: log.filter(({ event }) => event.type !== "intended" && event.type !== "abandoned"),
  };
  return JSON.parse(JSON.stringify(found).replaceAll(repo.dir, "ROOT")) as typeof found;
}

test("killed at every effect and started again, a feature ends exactly as if nothing had happened", {
  timeout: 240_000,
}, async () => {
  using calm = project();
  const trace = join(calm.dir, ".automaker", "trace");
  expect(await run(calm, { ANNEAL_FAILPOINT_TRACE: trace })).toEqual({ signal: null, out: "passed" });
  const expected = result(calm);
  expect(expected.commits.split("\n")).toHaveLength(3);
  const points = killPoints(readFileSync(trace, "utf8").trim().split("\n"));
  expect(points.length).toBeGreaterThanOrEqual(20);
  await inPairs(points, async (point) => {
    using repo = project();
    const killed = await run(repo, { ANNEAL_FAILPOINT: point });
    expect(killed.signal, `${point}: ${killed.out}`).toBe("SIGKILL");
    expect(await run(repo), point).toEqual({ signal: null, out: "passed" });
    expect(result(repo), point).toEqual(expected);
  });
});

/** The first passing of every failpoint that the flow meets and one in the middle; how many there are varies a little. */
function killPoints(passed: string[]): string[] {
  return [...new Set(passed)].flatMap((name) => {
    const times = passed.filter((one) => one === name).length;
    return times < 3 ? [name] : [name, `${name}:${Math.ceil(times / 2)}`];
  });
}

async function inPairs<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items];
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all([worker(), worker()]);
}
