import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Files, makeRepo, type TestRepo } from "../../../adapters/src/testing/make-repo.ts";
import { openStore } from "../embedded/index.ts";
import * as epic from "../golden/testing/sample-epics.ts";
import { findings } from "../golden/testing/sample-stories.ts";
import { unitFiles } from "../golden/testing/sample-units.ts";

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

const [, ...REVIEWED] = SCRIPT.steps;
const [BUILD, , MEND] = SCRIPT.steps;
const STORY_SCRIPT = { ...SCRIPT, steps: [BUILD, findings(1, [0, 1, 0]), MEND, findings(2, [0, 0, 0])] };
const verdict = (word: string, issues: object[]) => ({
  role: "reviewer",
  answer: JSON.stringify({ verdict: word, issues, summary: "As it stands." }),
});
const OPEN = {
  severity: "high",
  category: "logic",
  file: "auth.js",
  lineStart: 1,
  description: "Empty passwords get in.",
};
const NO_TEXT = { path: "auth.js", content: 'export const ok = (p) => typeof p === "string" && p.length > 7;\n' };
const PULL_REQUEST_SCRIPT = {
  ...SCRIPT,
  steps: [
    ...[BUILD, verdict("needs_work", [OPEN]), MEND, verdict("pass", [])],
    ...[{ role: "fixer", answer: "Refused.", edits: [NO_TEXT] }, verdict("pass", [])],
  ],
};
const UNIT_SCRIPT = {
  ...SCRIPT,
  steps: SCRIPT.steps.map((step) => (step.role === "reviewer" ? { ...step, answer: "auth.js:1: error: Empty" } : step)),
};

/** A way through the product that is killed at each of its effects. */
interface Flow {
  name: string;
  key: string;
  branch: string;
  commits: number;
  /** The policy that the run names; without it the item's own. */
  policy?: string;
  /** The process that goes this way, if it is more than a run of the item. */
  child?: string;
  /** How it ends, if not by passing. */
  ends?: string;
  /** The failpoints that only this flow has; without it, all that it meets. */
  only?: RegExp;
  /** Further points by name and passing. */
  also?: string[];
  project(): TestRepo;
  /** What has to be the same besides commits and log. */
  leaves(repo: TestRepo): object;
}

const FLOWS: Flow[] = [
  {
    name: "a feature",
    key: "f1",
    branch: "feature/f1",
    commits: 3,
    policy: "gate",
    project() {
      const repo = projectWith(SCRIPT);
      const folder = join(repo.dir, ".automaker/features/f1");
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, "feature.json"), `${JSON.stringify(FEATURE, null, 2)}\n`);
      return repo;
    },
    leaves: (repo) => ({
      status: repo.git("-C", join(repo.dir, ".worktrees/f1"), "status", "--porcelain"),
      files: filesIn(join(repo.dir, ".automaker/features/f1")),
    }),
  },
  {
    name: "a loop over the branch that is checked out",
    key: "branch:topic",
    branch: "topic",
    commits: 3,
    policy: "gate",
    project() {
      const repo = projectWith({ ...SCRIPT, steps: REVIEWED });
      repo.git("switch", "--quiet", "--create", "topic");
      repo.commit({ "auth.js": "export const ok = () => true;\n" }, "the change");
      repo.write({ "notes.txt": "not tracked\n", "README.md": "hello, changed\n" });
      return repo;
    },
    leaves: (repo) => ({
      status: repo.git("status", "--porcelain"),
      head: repo.git("symbolic-ref", "HEAD"),
      files: filesIn(repo.dir),
    }),
  },
  {
    name: "a unit that is fixed and merged into the branch that is checked out",
    key: "unit:auth",
    branch: "main",
    commits: 5,
    ends: "merged",
    only: /^(?:git\.(?:merge|move)|unit|file)/,
    project() {
      const repo = projectWith(UNIT_SCRIPT);
      repo.commit(
        { ...unitFiles("auth", [["Log in", "test -s auth.js"]]), ".choo.yaml": "parallelism: 1\n" },
        "the unit",
      );
      repo.write({ "notes.txt": "not tracked\n", "README.md": "hello, changed\n" });
      return repo;
    },
    leaves: (repo) => ({
      status: repo.git("status", "--porcelain"),
      files: filesIn(repo.dir),
      unit: filesIn(join(repo.dir, "specs/tasks/auth")),
      branch: repo.git("log", "--format=%H", "unit/auth"),
    }),
  },
  {
    name: "a story with findings documents",
    key: "story:1.1",
    branch: "story-1-1-add-login",
    commits: 4,
    only: /^(?:file\.rename|git\.(?:place|move)|log\.append\.after)/,
    // The third commit is that of the documents.
    also: ["hooks.after", "commit-object.after", "ref.before", "ref.after", "move.ref.before", "move.ref.after"].map(
      (point) => `git.${point}:3`,
    ),
    project() {
      const repo = projectWith(STORY_SCRIPT, { "story.md": "# Story 1.1: Add login\n\nUsers log in.\n" });
      const folder = join(repo.dir, ".automaker/stories/1.1");
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, "story.json"), '{ "file": "story.md" }\n');
      return repo;
    },
    leaves: (repo) => ({
      status: repo.git("status", "--porcelain"),
      story: readFileSync(join(repo.dir, "story.md"), "utf8"),
      files: filesIn(join(repo.dir, ".automaker/stories/1.1")),
      refs: repo.git("for-each-ref", "--format=%(refname)", "refs/heads"),
    }),
  },
  {
    name: "a pull request and its feedback",
    key: "f1",
    branch: "feature/f1",
    commits: 4,
    child: new URL("./testing/kill-pull-request-child.ts", import.meta.url).pathname,
    ends: "merged",
    only: /^(?:forge|git\.push|inbox)/,
    project: () => forgeProjectWith(PULL_REQUEST_SCRIPT),
    leaves: (repo) => ({
      files: filesIn(join(repo.dir, ".automaker/features/f1")),
      refs: repo.git("ls-remote", "origin"),
      forge: readFileSync(join(repo.dir, ".git/forge.git/anneal-fake-forge.json"), "utf8"),
    }),
  },
  {
    name: "an epic of two stacked tickets and its merges",
    key: "epic:limits",
    branch: "epic/limits",
    commits: 5,
    child: new URL("./testing/kill-epic-child.ts", import.meta.url).pathname,
    ends: "merged",
    only: /^(?:git\.(?:merge|move\.ref|place)|epic|file\.rename|log\.append\.after)/,
    project: epicProject,
    leaves: (repo) => ({
      status: repo.git("status", "--porcelain", "--untracked-files=all"),
      refs: repo.git("for-each-ref", "--format=%(refname) %(objectname)", "refs/heads"),
      files: filesIn(join(repo.dir, ".epics/limits/artifacts")),
      reviews: filesIn(join(repo.dir, ".epics/limits/artifacts/reviews")),
      logs: ["bucket", "route"].map((id) => logOf(repo, `ticket:limits/${id}~1`)),
    }),
  },
];

/** A ticket, and one that builds on it. */
function epicProject(): TestRepo {
  const files = epic.epicFiles({ bucket: {}, route: { after: ["bucket"] } });
  const repo = makeRepo({ ".gitignore": ".automaker/\n", ...files });
  for (const id of ["bucket", "route"]) {
    const script = { steps: [epic.build(id), epic.pass] };
    repo.write({ [`.automaker/limits/${id}.json`]: JSON.stringify(script) });
  }
  repo.write({ ".automaker/settings.json": JSON.stringify({ version: 1, testCommand: "test -d src" }) });
  return repo;
}

function projectWith(script: object, files: Files = {}): TestRepo {
  const own = { "README.md": "hello\n", ".gitignore": ".automaker/\n", "script.json": JSON.stringify(script) };
  return makeRepo({ ...own, ...files });
}

/** The same with a fake forge as its remote, to which a person has agreed to push. */
function forgeProjectWith(script: object): TestRepo {
  const repo = projectWith(script);
  const forge = join(repo.dir, ".git/forge.git");
  repo.git("init", "--quiet", "--bare", "--initial-branch=main", forge);
  repo.git("remote", "add", "origin", forge);
  repo.git("push", "--quiet", "origin", "main");
  const may = { permission: "write", bot: false };
  const lists = { users: { anneal: may, alice: may }, pulls: [], checks: [], limitedUntil: null, answersToLose: 0 };
  writeFileSync(
    join(forge, "anneal-fake-forge.json"),
    JSON.stringify({ version: 1, me: "anneal", nextId: 1, ...lists }),
  );
  const pushConsent = { url: forge, by: "Robin", at: "2026-01-09T14:00:00Z" };
  repo.write({
    ".automaker/features/f1/feature.json": `${JSON.stringify(FEATURE, null, 2)}\n`,
    ".automaker/settings.json": JSON.stringify({ version: 1, pushConsent }),
  });
  return repo;
}

function filesIn(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  const names = entries.map(({ name }) => name).sort();
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

/** Runs the item in a process of its own; how it ended, and what it printed. */
function run(
  repo: TestRepo,
  { key, policy = "", child: way = CHILD }: Flow,
  env: Record<string, string> = {},
): Promise<{ signal: string | null; out: string }> {
  const script = `scripted:${join(repo.dir, "script.json")}`;
  const child = spawn(process.execPath, ["--conditions=source", way, repo.dir, script, key, policy], {
    env: { PATH: process.env.PATH, HOME: repo.dir, GIT_CONFIG_GLOBAL: "/dev/null", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  child.stdout.on("data", (chunk) => (out += chunk));
  child.stderr.on("data", (chunk) => (out += chunk));
  return new Promise((resolve) => child.on("close", (_code, signal) => resolve({ signal, out: out.trim() })));
}

/** Everything that must not depend on where the process died: commits, files, and the log without its attempts. */
function result({ key, branch, leaves }: Flow, repo: TestRepo) {
  const found = {
    commits: repo.git("log", "--format=%H %T %s", branch),
    ...leaves(repo),
    log: logOf(repo, `${key}~1`),
  };
  return JSON.parse(JSON.stringify(found).replaceAll(repo.dir, "ROOT")) as typeof found;
}

function logOf(repo: TestRepo, loop: string) {
  const store = openStore(repo.dir, { clock: { now: () => 0 } });
  const log = [...store.events(loop)].map(({ event, stage }) => ({ event, stage }));
  store.close();
  return log.filter(({ event }) => event.type !== "intended" && event.type !== "abandoned");
}

test.for(FLOWS)(
  "killed at every effect and started again, $name ends exactly as if nothing had happened",
  {
    timeout: 240_000,
  },
  async (flow) => {
    using calm = flow.project();
    const trace = join(calm.dir, ".automaker", "trace");
    mkdirSync(join(calm.dir, ".automaker"), { recursive: true });
    const calmly = { signal: null, out: flow.ends ?? "passed" };
    expect(await run(calm, flow, { ANNEAL_FAILPOINT_TRACE: trace })).toEqual(calmly);
    const expected = result(flow, calm);
    expect(expected.commits.split("\n")).toHaveLength(flow.commits);
    const met = killPoints(readFileSync(trace, "utf8").trim().split("\n"), flow.only);
    const points = [...met, ...(flow.also ?? [])];
    expect(points.length).toBeGreaterThanOrEqual(flow.only === undefined ? 20 : 10);
    await inPairs(points, async (point) => {
      using repo = flow.project();
      const killed = await run(repo, flow, { ANNEAL_FAILPOINT: point });
      expect(killed.signal, `${point}: ${killed.out}`).toBe("SIGKILL");
      expect(await run(repo, flow), point).toEqual(calmly);
      expect(result(flow, repo), point).toEqual(expected);
    });
  },
);

/** The first passing of every failpoint that the flow meets and one in the middle; how many there are varies a little. */
function killPoints(passed: string[], only = /^/): string[] {
  const names = [...new Set(passed)].filter((name) => only.test(name));
  return names.flatMap((name) => {
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
