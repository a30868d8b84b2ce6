import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { POLICIES } from "@anneal/core";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { signed } from "../../../core/src/read/testing/sign-off.ts";
import { makeRepo } from "../../../git/src/testing/make-repo.ts";
import { openRepo, reviewerNamed } from "../assemble.ts";
import { anchoredWords, commandText, wordsOf } from "./command-words.ts";

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "anneal-words-")));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

test.for([
  { text: "review --fast", words: ["review", "--fast"] },
  { text: '  "my review"  "a \\"b\\" \\\\"  c ', words: ["my review", 'a "b" \\', "c"] },
  { text: "", words: [] },
])("the words of $text", ({ text, words }) => {
  expect(wordsOf(text)).toEqual(words);
  expect(wordsOf(commandText(words))).toEqual(words);
});

describe("a command means the same wherever it runs", () => {
  test.for([
    { what: "a program with a slash", words: ["./run.sh", "x"], meant: (at: string) => [`${at}/run.sh`, "x"] },
    { what: "a program on the PATH", words: ["run.sh"], meant: () => ["run.sh"] },
    { what: "an argument that is a file", words: ["node", "run.sh"], meant: (at: string) => ["node", `${at}/run.sh`] },
    { what: "an argument that is none", words: ["node", "./gone.sh", "-e"], meant: () => ["node", "./gone.sh", "-e"] },
  ])("$what", ({ words, meant }) => {
    writeFileSync(join(folder, "run.sh"), "");
    expect(anchoredWords(words, folder)).toEqual(meant(folder));
  });
});

const says = (verdict: "pass" | "needs_work") =>
  `#!/bin/sh\ncat >/dev/null\nprintf '%s' '${JSON.stringify({ verdict, issues: [], summary: verdict, rulings: [], sign_off: signed })}'\n`;

describe("a review of another head asks the program of the current folder, not the judged one", () => {
  test.for(["command:./review.sh", "command:sh review.sh", "command:sh ./review.sh", "mine"])("%s", async (named) => {
    using repo = makeRepo({ "review.sh": says("needs_work"), "a.ts": "1\n" });
    chmodSync(join(repo.dir, "review.sh"), 0o755);
    const base = repo.git("rev-parse", "HEAD");
    repo.git("switch", "-qc", "topic");
    const head = repo.commit({ "review.sh": says("pass"), "a.ts": "2\n" });
    repo.git("switch", "-q", "-");
    chmodSync(join(repo.dir, "review.sh"), 0o755);
    vi.spyOn(process, "cwd").mockReturnValue(repo.dir);
    const opened = await openRepo(repo.dir);
    const setup = { unsandboxed: "allowed" as const };
    const reviewer = await reviewerNamed(named, {
      policy: POLICIES["pull-request"],
      repo: opened,
      brief: { workItem: { title: "t", description: "d" }, round: 1, earlierFindings: [] },
      agents: { setups: { command: setup, mine: { ...setup, kind: "command", command: ["./review.sh"] } } },
    });
    const change = opened.change({ base, head, headKind: "commit" });
    const { report } = await reviewer.review(change, new AbortController().signal);
    change.close();
    expect(report).toMatchObject({ status: "complete", claim: "fail", summary: "needs_work" });
  });
});
