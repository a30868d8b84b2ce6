import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { POLICIES } from "@anneal/core";
import type { AgentSettings, Policy } from "@anneal/types";
import { describe, expect, onTestFinished, test } from "vitest";
import { type StandInRun, standIn } from "../../../adapters/src/agents/cli/testing/stand-in.ts";
import type { Files } from "../../../git/src/testing/make-repo.ts";
import { withChange } from "../review/reviewers/testing/reviewed.ts";
import { withoutCopies } from "../review/reviewers/testing/without-copies.ts";
import { roundReviewer } from "./reviewers.ts";

function folder(): string {
  const made = realpathSync(mkdtempSync(join(tmpdir(), "anneal-reviewers-")));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

/** A program that plays an agent's runs one after the other. */
function playing(...runs: StandInRun[]): AgentSettings {
  return { command: [...standIn(folder(), runs)], unsandboxed: "allowed" };
}

const writes = { "left-behind.txt": "x" };
const FINE = "No issues found.";
const finding = "- [P1] It breaks — a.ts:1";
/** As codex tells of a command that showed it the change. */
const looked = ["exec", "/bin/bash -lc 'git diff main' in /x", " succeeded in 0ms:", "-1", "+2"];

async function reviewed(named: string, policy: Policy, setups: Record<string, AgentSettings>, more: Files = {}) {
  return await withChange({ "a.ts": "1\n" }, { "a.ts": "2\n", ...more }, async (change, repo) => {
    const through = async <T>(agent: T) => agent;
    const parts = { policy, place: withoutCopies(repo), terms: { setups }, model: undefined, through };
    const reviewer = (await roundReviewer(named, parts))({
      workItem: { title: "t", description: "d" },
      round: 1,
      earlierFindings: [],
    });
    return await reviewer.review(change, new AbortController().signal);
  });
}

const quorum: Policy = {
  ...POLICIES.adversarial,
  reviewer: { ...POLICIES.adversarial.reviewer, ensemble: { quorum: 1 } },
};

/** An agent that writes into the tree, whatever its part is, and then says this. */
function scripted(answer: string, end = "finished"): string {
  const file = join(folder(), "script.json");
  const edits = [{ path: "left-behind.txt", content: "x" }];
  writeFileSync(file, JSON.stringify({ steps: [{ answer, edits, end }] }));
  return `scripted:${file}`;
}

function answering(answer: string): string {
  const file = join(folder(), "script.json");
  writeFileSync(file, JSON.stringify({ steps: [{ answer }] }));
  return `scripted:${file}`;
}

describe("a reviewer that changed the repository", () => {
  const codex = (run: StandInRun) => () => ({ named: "codex-review", setups: { codex: playing({ ...run, writes }) } });
  const agent = (end: string) => () => ({ named: scripted(FINE, end), setups: {} });

  test.for([
    { who: "codex review", cast: codex({ stdout: [FINE], stderr: looked }) },
    { who: "codex review, which failed", cast: codex({ stdout: [], exit: 1 }) },
    { who: "an agent", cast: agent("finished") },
    { who: "an agent that failed", cast: agent("crash") },
  ])("gave no answer, and spoils what the others say, whatever the quorum: $who", async ({ cast }) => {
    for (const ensemble of ["", "builtin+"]) {
      const { named, setups } = cast();
      const { tampered, lasting, report } = await reviewed(`${ensemble}${named}`, quorum, setups);
      expect({ tampered, lasting }).toEqual({ tampered: true, lasting: undefined });
      expect(report).toMatchObject({ status: "inconclusive", reason: expect.stringContaining("file left-behind.txt") });
    }
  });

  test("spoils the review as the one who verifies, too", async () => {
    const policy: Policy = {
      ...POLICIES.adversarial,
      reviewer: { ...POLICIES.adversarial.reviewer, verification: { by: scripted("{}") } },
    };
    const { tampered, report } = await reviewed("codex-review", policy, {
      codex: playing({ stdout: [finding], stderr: looked }),
    });
    expect({ tampered, report }).toMatchObject({
      tampered: true,
      report: { status: "inconclusive", reason: expect.stringContaining(", which verified the findings, changed") },
    });
  });
});

describe("a review that came to nothing claims no file", () => {
  const gone: AgentSettings = { command: ["/nowhere/agent"], unsandboxed: "allowed", kind: "command" };
  const failing = () => playing({ stdout: [], exit: 1 });
  test.for([
    { what: "a program that is not there", named: "mine", setups: () => ({ mine: gone }) },
    { what: "one that failed", named: "codex-review", setups: () => ({ codex: failing() }) },
    { what: "an answer that nobody can read", named: () => answering("Looks good to me."), setups: () => ({}) },
    { what: "one that changed the repository", named: () => scripted(FINE), setups: () => ({}) },
    { what: "several, of which one is not there", named: "builtin+mine", setups: () => ({ mine: gone }) },
    { what: "an address where nobody listens", named: "webhook:http://127.0.0.1:9/", setups: () => ({}) },
  ])("$what", async ({ named, setups }) => {
    const { report, coverage } = await reviewed(
      typeof named === "string" ? named : named(),
      POLICIES.adversarial,
      setups(),
    );
    expect(report.status).toBe("inconclusive");
    expect(coverage).toEqual({
      reviewed: [],
      skipped: [{ file: "a.ts", reason: expect.stringMatching(/no report/) }],
    });
  });

  test("and a file that could not have been read anyway keeps its own reason", async () => {
    const { coverage } = await reviewed(
      "mine",
      POLICIES.adversarial,
      { mine: gone },
      { "b.bin": new Uint8Array([0, 1]) },
    );
    expect(coverage.reviewed).toEqual([]);
    expect(coverage.skipped).toContainEqual({ file: "b.bin", reason: "binary" });
  });
});
