import { Finding } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { finding } from "../testing/build.ts";
import { readCompletionReport } from "./completion.ts";
import { type TicketGit, type TicketWork, validateTicket } from "./validation.ts";

const git: TicketGit = {
  branch: "ticket/bucket",
  branchHead: "f1na1",
  baseCommit: "ba5e",
  baseExists: true,
  commit: "f1na1",
  commitExists: true,
  onBranch: true,
  descends: true,
};
const done =
  '## Completion Report\n\n{"acceptance_criteria":[{"criterion":1,"met":true,"evidence":"a.ts"},{"criterion":2,"met":true,"evidence":"b.ts"}]}';
const completion = readCompletionReport(done, ["One", "Two"]);
const work = (over: Partial<TicketWork> = {}): TicketWork => ({
  git,
  checks: { result: "passed", findings: [] },
  completion,
  ...over,
});

describe("the validation of a ticket (seed 002)", () => {
  test("passes with branch, commit, tests and every criterion", () => {
    expect(validateTicket(work())).toEqual({ result: "passed", findings: [], testSuite: "passing" });
  });

  test("looks at git only once there is a commit", () => {
    expect(validateTicket(work({ git: null })).result).toBe("passed");
  });

  test.for<{ what: string; over: Partial<TicketWork>; titles: string[] }>([
    {
      what: "no branch",
      over: { git: { ...git, branchHead: null } },
      titles: ["The branch ticket/bucket does not exist"],
    },
    {
      what: "no such commit",
      over: { git: { ...git, commitExists: false } },
      titles: ["The commit f1na1 does not exist"],
    },
    {
      what: "no such base",
      over: { git: { ...git, baseExists: false } },
      titles: ["The base commit ba5e does not exist"],
    },
    {
      what: "a commit elsewhere",
      over: { git: { ...git, onBranch: false } },
      titles: ["The commit f1na1 is not on the branch ticket/bucket"],
    },
    {
      what: "another base",
      over: { git: { ...git, descends: false } },
      titles: ["The commit f1na1 does not descend from its base ba5e"],
    },
    {
      what: "no commit of its own",
      over: { git: { ...git, commit: "ba5e" } },
      titles: ["The branch ticket/bucket has no commit of its own"],
    },
    {
      what: "failing tests",
      over: { checks: { result: "failed", findings: [finding({ title: "2 tests fail" })] } },
      titles: ["2 tests fail"],
    },
    {
      what: "failing tests without a word",
      over: { checks: { result: "failed", findings: [] } },
      titles: ["The test command fails"],
    },
    {
      what: "no test command",
      over: { checks: { result: "not-configured", findings: [] } },
      titles: ["The project has no test command, so nothing checks the work"],
    },
    {
      what: "a criterion left out",
      over: { completion: readCompletionReport(done, ["One", "Two", "Three"]) },
      titles: ["Not addressed: Three"],
    },
    {
      what: "no completion report",
      over: { completion: readCompletionReport("Done.", ["One", "Two"]) },
      titles: ["Not addressed: One", "Not addressed: Two"],
    },
    {
      what: "several at once",
      over: { checks: { result: "failed", findings: [] }, completion: readCompletionReport("", ["One"]) },
      titles: ["The test command fails", "Not addressed: One"],
    },
  ])("$what gives findings for the builder", ({ over, titles }) => {
    const validation = validateTicket(work(over));
    expect(validation.result).toBe("failed");
    expect(validation.findings.map(({ title }) => title)).toEqual(titles);
    for (const one of validation.findings) expect(Finding.parse(one)).toEqual(one);
  });

  test("a suite that did not pass is failing, whatever the reason", () => {
    for (const result of ["failed", "not-configured"] as const) {
      expect(validateTicket(work({ checks: { result, findings: [] } })).testSuite).toBe("failing");
    }
  });
});
