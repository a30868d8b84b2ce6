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
import type { ReviewAnswer, Reviewer } from "@anneal/adapters";
import { type CopyLender, tamperGuard } from "@anneal/adapters/reviewers/tamper-guard";
import { openRepo, type Repo } from "@anneal/git";
import { workspacesOf } from "@anneal/workspace";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { makeRepo, type TestRepo } from "../../../../git/src/testing/make-repo.ts";
import { pooledCopies, temporaryCopies } from "../review-copies.ts";
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

/** Where readers read: in loops, and outside of them. */
const PLACES: Record<string, (repo: Repo) => CopyLender> = {
  "of a loop": (opened) => pooledCopies(opened, workspacesOf(opened)),
  "of its own": temporaryCopies,
};

/** A pass by somebody who does this in the copy that it got, together with an honest reviewer, with a quorum of one. */
async function reviewed(act: (tree: Repo) => void, place: (repo: Repo) => CopyLender = temporaryCopies) {
  const opened = await openRepo(repo.dir);
  const room = tamperGuard(place(opened));
  const bad: Reviewer = {
    name: "bad",
    requirements: "judged",
    review: ({ bounds }) =>
      room.read({ name: "bad", head: bounds.head }, async (tree) => {
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

const git = (root: string, ...args: string[]) => void execFileSync("git", ["-C", root, ...args], { stdio: "ignore" });

describe("whoever changes the copy that it got has tampered, and a verdict is given", () => {
  test.for<{ what: string; act: (tree: Repo) => void }>([
    { what: "a file", act: ({ root }) => writeFileSync(join(root, "b.txt"), "mine\n") },
    { what: "a new file", act: ({ root }) => writeFileSync(join(root, "c.txt"), "mine\n") },
    { what: "a hidden file", act: ({ root }) => git(root, "update-index", "--assume-unchanged", "b.txt") },
    { what: "a branch", act: ({ root }) => git(root, "branch", "mine") },
    { what: "a tag", act: ({ root }) => git(root, "tag", "mine") },
    { what: "a setting", act: ({ root }) => git(root, "config", "some.thing", "mine") },
    { what: "a hook", act: ({ gitDir }) => writeFileSync(join(gitDir, "hooks/pre-commit"), "exit 0") },
    { what: "its head", act: ({ root }) => git(root, "checkout", "--quiet", "HEAD~1") },
    { what: "its .git", act: ({ gitDir }) => rmSync(gitDir, { recursive: true }) },
    { what: "all of it", act: ({ root }) => rmSync(root, { recursive: true }) },
    { what: "its index", act: ({ gitDir }) => writeFileSync(join(gitDir, "index"), "garbage") },
    {
      what: "its .git, by a pipe",
      act: ({ gitDir }) => {
        rmSync(gitDir, { recursive: true });
        execFileSync("mkfifo", [gitDir]);
      },
    },
    {
      what: "its .git, by a repository of its own",
      act: ({ root, gitDir }) => {
        rmSync(gitDir, { recursive: true });
        execFileSync("git", ["init", "--quiet", root]);
      },
    },
  ])("$what", async ({ act }) => {
    const answer = await reviewed(act);
    expect(answer).toMatchObject(TAMPERED);
    expect(JSON.stringify(answer.report)).not.toContain("install git");
    expect(readdirSync(temporary), "nothing is left of it").toEqual([]);
  });

  test("and the pool of a project lends a whole one again", async () => {
    const place = PLACES["of a loop"];
    const destroy = ({ gitDir }: Repo) => rmSync(join(gitDir, "objects"), { recursive: true });
    expect(await reviewed(destroy, place)).toMatchObject(TAMPERED);
    expect(await reviewed(() => {}, place)).toMatchObject({ report: { status: "complete" } });
  });
});

describe.for(Object.entries(PLACES))(
  "what a person does in their own work tree during a review in a copy %s counts for nothing",
  ([, place]) => {
    test.for<{ what: string; act: () => void }>([
      { what: "nothing", act: () => {} },
      { what: "an edit", act: () => repo.write({ "b.txt": "mine\n" }) },
      { what: "a new file", act: () => repo.write({ "c.txt": "mine\n" }) },
      { what: "a switch", act: () => repo.git("checkout", "--quiet", "--detach") },
      { what: "a commit", act: () => void repo.commit({ "b.txt": "mine\n" }) },
      { what: "a branch, a tag and a setting", act: () => ["branch", "tag"].map((word) => repo.git(word, "mine")) },
      { what: "a setting", act: () => repo.git("config", "some.thing", "mine") },
      { what: "a collection of garbage", act: () => repo.git("gc", "--quiet", "--prune=now") },
    ])("$what, in no sandbox", async ({ act }) => {
      withoutBubblewrap();
      expect(await reviewed(act, place)).toMatchObject({ report: { status: "complete" } });
    });
  },
);

/** Git is there, and no sandbox. */
function withoutBubblewrap(): void {
  const programs = join(temporary, "bin");
  mkdirSync(programs);
  const found = (process.env.PATH ?? "").split(":").map((folder) => join(folder, "git"));
  symlinkSync(found.find((path) => existsSync(path)) ?? "", join(programs, "git"));
  vi.stubEnv("PATH", programs);
}
