import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Capabilities, ReviewAnswer, Reviewer } from "@anneal/adapters";
import { openRepo, type Repo } from "@anneal/adapters/git";
import { type Lender, readingRoom } from "@anneal/adapters/reviewers/reading-room";
import { probeSandbox } from "@anneal/adapters/sandbox";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { agentIdentity } from "../../../adapters/src/git/agent-mark.ts";
import { makeRepo, type TestRepo } from "../../../adapters/src/testing/make-repo.ts";
import { passingTrees, reviewTrees } from "../review-trees.ts";
import { ensembleReviewer } from "./ensemble.ts";

const PASS: ReviewAnswer = {
  report: { status: "complete", claim: "pass", findings: [], summary: "Fine.", rulings: [], notes: [] },
  coverage: { reviewed: ["a.txt"], skipped: [] },
  usage: {},
};

let repo: TestRepo;
let temporary: string;
beforeEach(() => {
  repo = makeRepo({ "a.txt": "one\n", "b.txt": "b\n" });
  repo.commit({ "a.txt": "two\n" });
  temporary = realpathSync(mkdtempSync(join(tmpdir(), "anneal-tampering-")));
  vi.stubEnv("TMPDIR", temporary);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    repo.remove();
    rmSync(temporary, { recursive: true, force: true });
  });
});

/** A pass by somebody who does this in the tree that it was lent, beside an honest reviewer, with a quorum of one. */
async function reviewed(
  act: (tree: Repo) => void,
  place: (repo: Repo) => Lender = passingTrees,
  readOnly: Capabilities["readOnly"] = "toolset",
) {
  const opened = await openRepo(repo.dir);
  const room = readingRoom(place(opened));
  const bad: Reviewer = {
    name: "bad",
    requirements: "judged",
    review: ({ bounds }) =>
      room.read({ name: "bad", head: bounds.head, readOnly }, async (tree) => {
        act(tree);
        return PASS;
      }),
  };
  const good: Reviewer = { name: "good", requirements: "judged", review: async () => PASS };
  const change = opened.change({
    base: await opened.resolve("HEAD~1"),
    head: await opened.resolve("HEAD"),
    headKind: "commit",
  });
  onTestFinished(() => change.close());
  return await ensembleReviewer([bad, good], { quorum: 1 }).review(change, new AbortController().signal);
}

const TAMPERED = {
  tampered: true,
  report: { status: "inconclusive", reason: expect.stringMatching(/^bad: tampered: bad/) },
};

describe("whoever destroys the tree that it was lent has tampered, and a verdict is given", () => {
  test.for<{ what: string; act: (tree: Repo) => void }>([
    { what: "its .git", act: ({ root }) => rmSync(join(root, ".git")) },
    { what: "all of it", act: ({ root }) => rmSync(root, { recursive: true }) },
    { what: "its index", act: ({ gitDir }) => writeFileSync(join(gitDir, "index"), "garbage") },
    {
      what: "git's record of where it is",
      act: ({ gitDir }) => writeFileSync(join(gitDir, "gitdir"), "/elsewhere/.git\n"),
    },
    { what: "all of git's records of it", act: ({ gitDir }) => rmSync(gitDir, { recursive: true }) },
    {
      what: "its .git, by a pipe",
      act: ({ root }) => {
        rmSync(join(root, ".git"));
        execFileSync("mkfifo", [join(root, ".git")]);
      },
    },
    {
      what: "its .git, by one that leads to a repository of its own",
      act: ({ root }) => {
        rmSync(join(root, ".git"));
        execFileSync("git", ["init", "--quiet", root]);
      },
    },
  ])("$what", async ({ act }) => {
    const answer = await reviewed(act);
    expect(answer).toMatchObject(TAMPERED);
    expect(JSON.stringify(answer.report)).not.toContain("install git");
    expect(readdirSync(temporary), "nothing is left of it").toEqual([]);
    expect(repo.git("worktree", "list").split("\n")).toHaveLength(1);
  });

  test("and the pool of a project lends a whole one again", async () => {
    const destroy = ({ gitDir }: Repo) => writeFileSync(join(gitDir, "gitdir"), "/elsewhere/.git\n");
    expect(await reviewed(destroy, reviewTrees)).toMatchObject(TAMPERED);
    expect(await reviewed(() => {}, reviewTrees)).toMatchObject({ report: { status: "complete" } });
  });
});

const EDITS: { what: string; act: () => void }[] = [
  { what: "edits a file", act: () => repo.write({ "b.txt": "mine\n" }) },
  { what: "adds a file", act: () => repo.write({ "c.txt": "mine\n" }) },
  { what: "says whom to trust", act: () => repo.write({ ".automaker/settings.json": '{"agents":{}}' }) },
  { what: "switches", act: () => repo.git("checkout", "--quiet", "--detach") },
  {
    what: "begins a merge",
    act: () => writeFileSync(join(repo.dir, ".git/MERGE_HEAD"), repo.git("rev-parse", "HEAD")),
  },
  { what: "hides a file", act: () => repo.git("update-index", "--assume-unchanged", "b.txt") },
];

describe("somebody in the user's own work tree, during a review,", async () => {
  const works = (await probeSandbox()).state === "works";
  const machines = [passingTrees, reviewTrees].map((place) => ({ place }));

  test.runIf(works).for(EDITS)("$what: that is the user, where readers are shut out of it", async ({ act }) => {
    for (const { place } of machines)
      expect(await reviewed(act, place)).toMatchObject({ report: { status: "complete" } });
  });

  test.runIf(works).for(EDITS)(
    "$what: that is told, where a reader has a sandbox of its own",
    async ({ what, act }) => {
      const answer = await reviewed(act, passingTrees, "os");
      if (what === "says whom to trust") return expect(answer).toMatchObject(TAMPERED);
      expect(answer).toMatchObject({ report: { status: "complete" } });
      expect(JSON.stringify(answer.report)).toContain("in your own work tree");
    },
  );

  test.runIf(works)("and where it has one, git's own files are compared all the same", async () => {
    const hook = ({ commonDir }: Repo) => writeFileSync(join(commonDir, "hooks/pre-commit"), "exit 0");
    expect(await reviewed(hook, passingTrees, "os")).toMatchObject(TAMPERED);
  });

  test.for(EDITS)("$what: nobody knows who, where nobody is shut out", async ({ act }) => {
    withoutBubblewrap();
    const answer = await reviewed(act);
    expect(answer).toMatchObject(TAMPERED);
    expect(answer.report).toMatchObject({ reason: expect.stringContaining("bubblewrap") });
  });

  test("does nothing: the review counts, shut out or not", async () => {
    withoutBubblewrap();
    for (const { place } of machines)
      expect(await reviewed(() => {}, place)).toMatchObject({ report: { status: "complete" } });
  });
});

/** Git is there, and no sandbox. */
function withoutBubblewrap(): void {
  const programs = join(temporary, "bin");
  mkdirSync(programs);
  const git = (process.env.PATH ?? "").split(":").map((folder) => join(folder, "git"));
  symlinkSync(git.find((path) => existsSync(path)) ?? "", join(programs, "git"));
  vi.stubEnv("PATH", programs);
}

describe("what a person does with git in their own work tree during a review", async () => {
  const works = (await probeSandbox()).state === "works";
  const ORDINARY: { what: string; act: () => void }[] = [
    { what: "a branch", act: () => repo.git("branch", "mine") },
    { what: "a tag", act: () => repo.git("tag", "mine") },
    { what: "a setting", act: () => repo.git("config", "some.thing", "mine") },
  ];
  test.runIf(works).for(ORDINARY)("($what) is none of the reviewer's doing where that is shut in", async ({ act }) => {
    expect(await reviewed(act)).toMatchObject({ report: { status: "complete" } });
  });

  test.for(ORDINARY)("($what) breaks the review where it is not, and says what to do", async ({ act }) => {
    withoutBubblewrap();
    const { report } = await reviewed(act);
    expect(report).toMatchObject({ reason: expect.stringMatching(/unless that was you: .*install bubblewrap/) });
  });

  const SETTING = () => repo.git("config", "some.thing", "mine");
  const ADVICE: { who: string; readOnly: Capabilities["readOnly"]; sandbox: "here" | "missing"; act: () => void }[] = [
    ...(works
      ? [{ who: "one with a sandbox of its own", readOnly: "os", sandbox: "here", act: SETTING } as const]
      : []),
    { who: "one with a sandbox of its own, alone", readOnly: "os", sandbox: "missing", act: SETTING },
    {
      who: "one with a sandbox of its own, beside edits",
      ...{ readOnly: "os", sandbox: "missing" },
      act: () => repo.write({ "b.txt": "mine\n" }),
    },
  ];
  test.for(ADVICE)("is not answered with an advice that would not help: $who", async ({ readOnly, sandbox, act }) => {
    if (sandbox === "missing") withoutBubblewrap();
    const { report } = await reviewed(act, passingTrees, readOnly);
    expect(report).toMatchObject({ reason: expect.stringMatching(/leave .* alone during a review/) });
    expect(JSON.stringify(report)).not.toContain("bubblewrap");
  });

  test("(a fetch, such as an editor makes) is no tampering; one by the reviewer is", async () => {
    const theirs = makeRepo({ "a.txt": "theirs\n" });
    onTestFinished(() => theirs.remove());
    repo.git("remote", "add", "origin", theirs.dir);
    repo.git("fetch", "--quiet", "origin");
    withoutBubblewrap();
    const fetch = (who: Record<string, string>) => {
      theirs.commit({}, "more");
      const env = { PATH: process.env.PATH, HOME: temporary, ...who };
      execFileSync("git", ["fetch", "--quiet", "origin"], { cwd: repo.dir, env });
    };
    const person = { GIT_COMMITTER_NAME: "Robin Example", GIT_COMMITTER_EMAIL: "robin@example.com" };
    expect(await reviewed(() => fetch(person))).toMatchObject({ report: { status: "complete" } });
    expect(await reviewed(({ root }) => fetch(agentIdentity(root)))).toMatchObject(TAMPERED);
  });
});
