import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tamperGuard } from "@anneal/adapters/reviewers/tamper-guard";
import { POLICIES } from "@anneal/core";
import { openRepo, type Repo } from "@anneal/git";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { signed } from "../../../core/src/read/testing/sign-off.ts";
import { makeRepo, type TestRepo } from "../../../git/src/testing/make-repo.ts";
import { type ReviewCopies, temporaryCopies } from "./review-copies.ts";
import { agentReviewer } from "./reviewers/index.ts";
import { playedAgent } from "./reviewers/testing/played-agent.ts";
import { type ChangeNames, copiesFor, squashedCopies } from "./squashed-copies.ts";

const NAMES: ChangeNames = { title: "Lend books", branch: "topic", baseBranch: "main" };
const OLD = "docs/progress/old.md";
const HIDDEN = { within: ["docs/progress"], hides: (path: string) => path === OLD };

let repo: TestRepo;
let temporary: string;
beforeEach(() => {
  repo = makeRepo({ "a.txt": "one\n" });
  repo.git("checkout", "--quiet", "-b", "topic");
  repo.commit({ "a.txt": "two\n", [OLD]: "EARLIER\n" }, "fix: address code review round 1");
  repo.git("checkout", "--quiet", "main");
  temporary = realpathSync(mkdtempSync(join(tmpdir(), "anneal-alone-")));
  vi.stubEnv("TMPDIR", temporary);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    repo.remove();
    rmSync(temporary, { recursive: true, force: true });
  });
});

async function changeOf(opened: Repo) {
  const bounds = {
    base: await opened.resolve("main"),
    head: await opened.resolve("topic"),
    headKind: "commit" as const,
  };
  const change = opened.change(bounds);
  onTestFinished(() => change.close());
  return change;
}

const ANSWER = JSON.stringify({ passed: true, summary: "Fine.", issues: [], sign_off: signed });

/** What a review comes to whose agent does this where it is started, and its prompt. */
async function reviewed(act: (cwd: string) => void, place: (opened: Repo) => ReviewCopies) {
  const opened = await openRepo(repo.dir);
  const agent = playedAgent(({ cwd }) => {
    act(cwd);
    return { text: ANSWER };
  });
  const brief = { workItem: { title: "t", description: "d" }, round: 2, earlierFindings: [] };
  const reviewer = agentReviewer(agent, POLICIES.advisory, tamperGuard(place(opened)), brief);
  const answer = await reviewer.review(await changeOf(opened), new AbortController().signal);
  return { answer, prompt: agent.requests[0]?.prompt ?? "" };
}

const alone =
  (names: Partial<ChangeNames> = {}) =>
  (opened: Repo) =>
    squashedCopies(opened, { ...NAMES, ...names });

describe("what a fresh reviewer is shown", () => {
  test("is a repository of its own that is gone afterwards", async () => {
    const seen: string[] = [];
    const look = (cwd: string) => seen.push(cwd, ...readdirSync(cwd).sort());
    const { answer } = await reviewed(look, alone());
    expect(answer.report).toMatchObject({ status: "complete", claim: "pass" });
    expect(seen.slice(1)).toEqual([".git", "a.txt", "docs"]);
    expect([seen[0]?.startsWith(temporary), readdirSync(temporary)]).toEqual([true, []]);
    expect(repo.git("worktree", "list").split("\n")).toHaveLength(1);
  });

  test("leaves out what is kept from it: in its files, in the patch, and by name in what it has read", async () => {
    const { answer, prompt } = await reviewed(
      (cwd) => expect(existsSync(join(cwd, OLD))).toBe(false),
      alone({ hidden: HIDDEN }),
    );
    expect(answer.coverage).toEqual({
      reviewed: ["a.txt"],
      skipped: [{ file: OLD, reason: "hidden from a fresh reviewer", excused: "hidden" }],
    });
    expect(prompt).toContain("+two");
    expect(prompt).not.toMatch(/EARLIER|old\.md|address code review/);
  });

  test.for([
    { policy: "adversarial", apart: true },
    { policy: "advisory", apart: true },
    { policy: "gate", apart: false },
    { policy: "pull-request", apart: false },
    { policy: "scored", apart: false },
  ] as const)("depends on the policy alone: $policy", async ({ policy, apart }) => {
    const place = temporaryCopies(await openRepo(repo.dir));
    expect(copiesFor(POLICIES[policy], place, NAMES) !== place).toBe(apart);
  });
});

const TAMPERED = { tampered: true, report: { status: "inconclusive" } };

describe("a fresh reviewer has tampered", () => {
  test.for<{ what: string; act: (cwd: string) => void }>([
    { what: "that changes a file", act: (cwd) => writeFileSync(join(cwd, "a.txt"), "mine\n") },
    { what: "that adds one", act: (cwd) => writeFileSync(join(cwd, "b.txt"), "mine\n") },
    { what: "that makes a hook", act: (cwd) => mkdirSync(join(cwd, ".git/hooks")) },
    { what: "that takes git away", act: (cwd) => rmSync(join(cwd, ".git"), { recursive: true }) },
    { what: "that takes all of it away", act: (cwd) => rmSync(cwd, { recursive: true }) },
  ])("$what", async ({ what, act }) => {
    const write = (cwd: string) => {
      act(cwd);
      if (what === "that makes a hook") writeFileSync(join(cwd, ".git/hooks/post-checkout"), "exit 1\n");
    };
    expect((await reviewed(write, alone())).answer).toMatchObject(TAMPERED);
    expect(readdirSync(temporary)).toEqual([]);
  });
});

test("a reading without a base is refused: nobody could tell what the change is", async () => {
  const lent = squashedCopies(await openRepo(repo.dir), NAMES).lend("topic", async () => "read");
  await expect(lent).rejects.toThrow("no base");
});

const [ALONE, GIT] = ["./squashed-copies.ts", "@anneal/git"].map((name) => import.meta.resolve(name));

test.runIf(process.platform === "linux")("what a killed reading left is gone after the next one began", async () => {
  const code = `const [{ squashedCopies }, { openRepo }] = await Promise.all([import("${ALONE}"), import("${GIT}")]);
    const repo = await openRepo(${JSON.stringify(repo.dir)});
    const [base, head] = [await repo.resolve("main"), await repo.resolve("topic")];
    await squashedCopies(repo, { title: "t", branch: "topic" }).lend(head, async ({ root }) => {
      console.log(root);
      process.kill(process.pid, "SIGKILL");
      await new Promise(() => {});
    }, base);`;
  const args = ["--input-type=module", "-e", code];
  const { stdout, stderr, signal } = spawnSync(process.execPath, args, { encoding: "utf8", timeout: 60_000 });
  expect(signal, stderr).toBe("SIGKILL");
  const left = stdout.trim();
  expect(existsSync(join(left, ".git"))).toBe(true);
  await reviewed(() => {}, alone());
  expect(readdirSync(temporary)).toEqual([]);
});
