import type { LoopEvent } from "@anneal/types";
import { afterEach, describe, expect, test, vi } from "vitest";
import { openBlobs } from "../log/index.ts";
import * as given from "./testing/sample-stories.ts";
import { watched } from "./testing/watch-agents.ts";

vi.mock(import("@anneal/adapters/scripted"), async (load) =>
  (await import("./testing/watch-agents.ts")).watching(await load()),
);

afterEach(() => {
  watched.length = 0;
});

/** Everything that only the first round knows. */
const ROUND_1 = [/ROUND-1-/, /of round 1/, /Round 1/, /Somebody waits/, /findings-round/];
const failFixPass = (fix: object = given.fix) => [
  ...[given.implement, given.findings(1, [1, 1, 1]), fix, given.findings(2, [0, 0, 0])],
];

async function events({ notifications }: given.StoriesProject): Promise<LoopEvent[]> {
  return (await notifications()).map(({ event }) => event);
}

function reviewed(all: readonly LoopEvent[]): Extract<LoopEvent, { type: "reviewed" }>[] {
  return all.filter((event) => event.type === "reviewed");
}

/** Gives the project a remote that has everything up to now. */
function withOrigin({ repo }: given.StoriesProject): { refs(): string } {
  const remote = `${repo.dir}/.git/origin.git`;
  repo.git("init", "--quiet", "--bare", remote);
  repo.git("remote", "add", "origin", remote);
  repo.git("push", "--quiet", "origin", "main");
  return { refs: () => repo.git("-C", remote, "for-each-ref") };
}

describe("the reviewer of a later round", () => {
  test("gets nothing of the rounds before and finds nothing of them in its tree, whatever the fixer writes down there", async () => {
    const leak = { path: given.DOCUMENT(1), content: "ROUND-1-Critical happens.\n" };
    const fix = { ...given.fix, edits: [...given.fix.edits, leak] };
    const project = await given.storiesProject({ [given.ID]: failFixPass(fix) });
    expect((await project.runStories()).settled.get(given.KEY)).toMatchObject({ outcome: "passed" });
    const [, second] = watched.filter(({ request }) => request.role === "reviewer");
    expect([...(second?.files.keys() ?? [])]).toContain("src/loans.js");
    for (const [path, text] of second?.files ?? []) {
      for (const trace of ROUND_1) expect(`${path}\n${text}`).not.toMatch(trace);
    }
    const [first, last] = reviewed(await events(project)).map(({ prompt = "" }) =>
      openBlobs(project.repo, { clock: project.clock }).getText(prompt),
    );
    for (const trace of ROUND_1) expect(last).not.toMatch(trace);
    expect(first).toMatch(/\n- Round: 1\n/);
    expect(last).toContain(
      [
        `- Story: ${given.ID}`,
        `- Story file: ${given.FILE}`,
        `- Branch: ${given.BRANCH}`,
        "- Base branch: main",
        "- Date: 2026-01-09 14:20",
        "- Round: 2",
      ].join("\n"),
    );
    // Only the last commit holds the documents, and then all of them and nothing else.
    const touched = (commit: string) => project.repo.git("show", "--format=", "--name-only", commit).split("\n");
    expect([touched(`${given.BRANCH}~2`), touched(`${given.BRANCH}~1`)]).toEqual([["src/loans.js"], ["src/loans.js"]]);
    expect(touched(given.BRANCH)).toEqual([given.DOCUMENT(1), given.DOCUMENT(2)]);
    expect(project.repo.git("show", `${given.BRANCH}:${given.DOCUMENT(1)}`)).toContain("**Reviewer:** Agent");
  });

  test("finds nothing of an earlier life of the story either, where its documents are in the base already", async () => {
    const old = Object.fromEntries([1, 2, 3].map((round) => [given.DOCUMENT(round), `ROUND-1-old, ${round}\n`]));
    const other = { "docs/progress/story-9.9-review-findings-round-1.md": "Another story.\n" };
    const fix = { ...given.fix, edits: [...given.fix.edits, { path: given.DOCUMENT(2), delete: true }] };
    const project = await given.storiesProject({ [given.ID]: failFixPass(fix) }, { files: { ...old, ...other } });
    expect((await project.runStories()).settled.get(given.KEY)).toMatchObject({ outcome: "passed" });
    const reviews = watched.filter(({ request }) => request.role === "reviewer" && request.again === undefined);
    for (const { files } of reviews) {
      expect([...files.keys()].filter((path) => path.startsWith("docs/progress/"))).toEqual(Object.keys(other));
    }
    const changes = project.repo.git("diff", "--name-status", `${given.BRANCH}~1`, given.BRANCH);
    expect(changes.replaceAll("\t", " ").split("\n")).toEqual([
      `M ${given.DOCUMENT(1)}`,
      `M ${given.DOCUMENT(2)}`,
      `D ${given.DOCUMENT(3)}`,
    ]);
    expect(project.repo.git("show", "--format=", "--name-only", `${given.BRANCH}~1`)).toBe("src/loans.js");
  });
});

describe("with a remote", () => {
  test("nothing is pushed, and the story is compared with the base branch as the remote has it", async () => {
    const project = await given.storiesProject({ [given.ID]: failFixPass() });
    const { repo } = project;
    const { refs } = withOrigin(project);
    repo.write({ "src/mine.js": "mine\n" });
    repo.git("add", "src/mine.js");
    repo.git("commit", "--quiet", "--message", "not pushed yet");
    const before = refs();
    expect((await project.runStories()).settled.get(given.KEY)).toMatchObject({
      outcome: "passed",
      base: repo.git("rev-parse", "origin/main"),
    });
    expect(refs()).toBe(before);
    const [first] = reviewed(await events(project));
    expect(first?.coverage.reviewed).toEqual(["src/loans.js"]);
    expect(repo.git("merge-base", "origin/main", given.BRANCH)).toBe(repo.git("rev-parse", "origin/main"));
  });
});

test("the project's test command runs after each fix: what it refuses goes back to the fixer and spends no round", async () => {
  const check = "process.exit(require('node:fs').readFileSync('src/loans.js', 'utf8').includes('BROKEN') ? 1 : 0);\n";
  const breaks = { ...given.fix, edits: [{ path: "src/loans.js", content: "BROKEN\n" }] };
  const steps = [given.implement, given.findings(1, [1, 0, 0]), breaks, given.fix, given.findings(2, [0, 0, 0])];
  const base = { path: "src/loans.js", content: "export const lend = null;\n" };
  const project = await given.storiesProject(
    { [given.ID]: steps },
    { files: { "check.cjs": check, [base.path]: base.content }, settings: { testCommand: "node check.cjs" } },
  );
  expect((await project.runStories()).settled.get(given.KEY)).toMatchObject({ outcome: "passed" });
  const all = (await events(project)).flatMap((event) =>
    event.type === "validated" ? [event.result] : event.type === "reviewed" ? ["reviewed"] : [],
  );
  expect(all).toEqual(["passed", "reviewed", "failed", "passed", "reviewed"]);
  expect(project.repo.git("log", "--format=%s", `main..${given.BRANCH}~1`).split("\n")).toEqual([
    "fix: address code review round 1 - Critical 1 of round 1: loans",
    `feat: Lend books to readers (story ${given.ID})`,
  ]);
});
