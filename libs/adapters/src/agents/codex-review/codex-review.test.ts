import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openRepo } from "@anneal/git";
import { describe, expect, onTestFinished, test } from "vitest";
import { makeRepo } from "../../../../git/src/testing/make-repo.ts";
import { tamperGuard } from "../../reviewers/tamper-guard.ts";
import { type StandInRun, standIn } from "../cli/testing/stand-in.ts";
import { codexReviewer } from "./index.ts";

const FINE = "I did not find any issues.";
const ran = (command: string, how = " succeeded in 3ms:") => ["exec", `/bin/bash -lc '${command}' in /x`, how, "+2"];

/** Has a stand-in for codex judge one small file and one of many lines. */
async function reviewed(stderr: string[], { mostBytes, ...run }: Partial<StandInRun> & { mostBytes?: number } = {}) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "anneal-codex-review-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  using repo = makeRepo({ "sum.ts": "1\n" });
  const base = repo.git("rev-parse", "HEAD");
  const head = repo.commit({ "sum.ts": "2\n", "many.ts": "const x = 1;\n".repeat(1_000) });
  const opened = await openRepo(repo.dir);
  const reviewer = codexReviewer({
    room: tamperGuard({ lend: (_, work) => work(opened) }),
    setup: { command: standIn(folder, [{ stdout: [FINE], stderr, ...run }]) },
    limits: { timeoutMs: 60_000 },
    ...(mostBytes === undefined ? {} : { mostBytes }),
  });
  const change = opened.change({ base, head, headKind: "commit" });
  onTestFinished(() => change.close());
  const answer = await reviewer.review(change, new AbortController().signal);
  const asked = (): { args: string[] } => JSON.parse(readFileSync(join(folder, "asked.json"), "utf8"));
  return { ...answer, base, asked };
}

test("it gets the commit where the branches parted, and not a branch", async () => {
  const { base, asked } = await reviewed(ran("git diff 1234"));
  expect(asked().args.slice(0, 3)).toEqual(["review", "--base", base]);
});

test.for<{ what: string } & Partial<StandInRun>>([
  { what: "an exit code, whatever was printed", exit: 1 },
  { what: "silence", stdout: [] },
  { what: "praise", stdout: ["Looks good to me."] },
])("$what is never a pass", async ({ what: _, ...run }) => {
  const { report } = await reviewed(ran("git diff 1234"), run);
  expect(report).toMatchObject({ status: "inconclusive" });
});

describe("codex review gets nothing of the change, and has to look at it", () => {
  test.for(["git diff 1234", "git show HEAD", "sed -n 1,20p sum.ts", "rg sum"])(
    "one that ran %s has",
    async (command) => {
      const { report, coverage } = await reviewed(ran(command));
      expect(report).toMatchObject({ status: "complete", claim: "pass" });
      expect(coverage).toEqual({ reviewed: ["many.ts", "sum.ts"], skipped: [] });
    },
  );

  test.for([
    { how: "ran nothing", stderr: [] },
    { how: "ran something else", stderr: ran("echo hello") },
    { how: "ran a command that failed", stderr: ran("git diff 1234", " exited 128 in 3ms:") },
    { how: "only spoke of it", stderr: ["codex", "git diff 1234", " succeeded in 3ms:"] },
  ])("one that $how has not: its answer does not count", async ({ stderr }) => {
    const { report, coverage } = await reviewed(stderr);
    expect(report).toMatchObject({ status: "inconclusive", reason: expect.stringContaining("did not read any part") });
    expect(coverage.reviewed).toEqual([]);
  });

  test("a change that its model has no room for is not put to it, and the message says what to do", async () => {
    const { report, coverage, lasting, asked } = await reviewed(ran("git diff 1234"), { mostBytes: 10_000 });
    expect(report).toMatchObject({ status: "inconclusive", reason: expect.stringContaining("use the reviewer codex") });
    expect({ lasting, reviewed: coverage.reviewed, skipped: coverage.skipped.length }).toEqual({
      lasting: true,
      reviewed: [],
      skipped: 2,
    });
    expect(asked, "it was not started").toThrow("ENOENT");
  });
});
