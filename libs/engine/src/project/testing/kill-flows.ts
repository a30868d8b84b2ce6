import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { signed } from "../../../../core/src/read/testing/sign-off.ts";
import { type Files, makeRepo, type TestRepo } from "../../../../git/src/testing/make-repo.ts";
import { program } from "../../../../system/src/testing/program.ts";
import * as epic from "../../golden/testing/sample-epics.ts";
import { findings } from "../../golden/testing/sample-stories.ts";
import { unitFiles } from "../../golden/testing/sample-units.ts";
import { decisionText } from "../../review/testing/decision-text.ts";
import { type Flow, logOf } from "./kill-run.ts";

const FEATURE = { id: "f1", title: "Add login", description: "Users log in.", status: "backlog" };
const ISSUE = "- **[CODE]** - error: Empty passwords get in\n  - Description: no check\n  - File: auth.js\n  - Line: 1";
const SCRIPT = {
  name: "scripted",
  steps: [
    {
      role: "implementer",
      answer: "First try.",
      edits: [{ path: "auth.js", content: "export const ok = () => true;\n" }],
    },
    { role: "reviewer", answer: decisionText("REJECTED", ISSUE) },
    {
      role: "fixer",
      answer: "Checked.",
      edits: [{ path: "auth.js", content: "export const ok = (p) => p.length > 7;\n" }],
    },
    { role: "reviewer", answer: decisionText("APPROVED", "None") },
  ],
};

const [, ...REVIEWED] = SCRIPT.steps;
const [BUILD, , MEND] = SCRIPT.steps;
const STORY_SCRIPT = { ...SCRIPT, steps: [BUILD, findings(1, [0, 1, 0]), MEND, findings(2, [0, 0, 0])] };
const verdict = (word: string, issues: object[]) => ({
  role: "reviewer",
  answer: JSON.stringify({
    verdict: word,
    issues,
    summary: "As it stands.",
    ...(issues.length === 0 ? { sign_off: signed } : {}),
  }),
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

export const FLOWS: Flow[] = [
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
      const worktree = { setup: ["cp local.env .automaker-ready"], copy: ["local.env"] };
      repo.write({
        ".automaker/settings.json": JSON.stringify({ version: 1, worktree }),
        ".git/info/exclude": "local.env\n.automaker-ready\n",
        "local.env": "PORT=1\n",
      });
      return repo;
    },
    leaves: (repo) => ({
      status: repo.git("-C", join(`${repo.dir}.anneal`, "f1"), "status", "--porcelain"),
      ready: readFileSync(join(`${repo.dir}.anneal`, "f1/.automaker-ready"), "utf8"),
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
    only: /^(?:story|file\.rename|git\.(?:place|move)|log\.append\.after)/,
    // The third commit is that of the documents.
    also: ["hooks.after", "commit-object.after", "ref.before", "ref.after", "move.ref.before", "move.ref.after"].map(
      (point) => ({ name: `git.${point}`, passing: 3 }),
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
    child: program("kill-pull-request-child"),
    ends: "merged",
    only: /^(?:forge|session|git\.push|inbox|notice)/,
    project: () => forgeProjectWith(PULL_REQUEST_SCRIPT),
    leaves: (repo) => ({
      files: filesIn(join(repo.dir, ".automaker/features/f1")),
      refs: repo.git("ls-remote", "origin"),
      forge: readFileSync(join(repo.dir, ".git/forge.git/anneal-fake-forge.json"), "utf8"),
    }),
  },
  {
    name: "an epic whose last ticket builds on two others, and its merges",
    key: "epic:limits",
    branch: "epic/limits",
    commits: 8,
    child: program("kill-epic-child"),
    ends: "merged",
    only: /^(?:git\.(?:join|merge|move\.ref|place)|epic|ticket|file\.rename|log\.append\.after)/,
    project: epicProject,
    leaves: (repo) => ({
      status: repo.git("status", "--porcelain", "--untracked-files=all"),
      refs: repo.git("for-each-ref", "--format=%(refname) %(objectname)", "refs/heads"),
      files: filesIn(join(repo.dir, ".epics/limits/artifacts")),
      reviews: filesIn(join(repo.dir, ".epics/limits/artifacts/reviews")),
      logs: TICKETS.map((id) => logOf(repo, `ticket:limits/${id}~1`)),
    }),
  },
];

const TICKETS = ["bucket", "gauge", "route"];

/** Two tickets, and one that builds on both. */
function epicProject(): TestRepo {
  const files = epic.epicFiles({ bucket: {}, gauge: {}, route: { after: ["bucket", "gauge"] } });
  const repo = makeRepo({ ".gitignore": ".automaker/\n", ...files });
  for (const id of TICKETS) {
    const script = { steps: epic.playedBy(id, [epic.build(id), epic.pass]) };
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
