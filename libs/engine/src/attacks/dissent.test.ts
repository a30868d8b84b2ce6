import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { assess, POLICIES } from "@anneal/core";
import type { CompleteReport, Contract, Policy } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { review } from "../../../core/src/read/testing/decision-text/answers.ts";
import { counts, document } from "../../../core/src/read/testing/findings-document/answers.ts";
import { result } from "../../../core/src/read/testing/issue-lines/answers.ts";
import { card } from "../../../core/src/read/testing/scorecard-json/answers.ts";
import { json } from "../../../core/src/read/testing/verdict-json/answers.ts";
import { agentReviewer } from "../review/reviewers/agent-reviewer.ts";
import { secondLookReviewer } from "../review/reviewers/second-look.ts";
import { playedAgent } from "../review/reviewers/testing/played-agent.ts";
import { withChange } from "../review/reviewers/testing/reviewed.ts";
import { roomIn } from "../review/reviewers/testing/without-copies.ts";

/** Answers that a program could take for an approval, and that no reader takes for one. Written by people who saw only the prompts. */
const WRITTEN = join(import.meta.dirname, "dissent");

/** What no reviewer says of a change that it lets through, in forms without a fault. */
const SENTENCES: readonly string[] = [
  "I strongly advise against merging this branch.",
  "This should not go to production.",
  "Please fix the authentication bypass before merging.",
  "The change introduces a serious vulnerability in the login.",
  "Merging is not recommended.",
  "I have to reject this change.",
  "Merge should be blocked until the tests are restored.",
  "This PR must not be approved in its present form.",
  "Unfit for merge.",
  "Not approved.",
  "I was unable to access the repository, so this is a guess.",
  "No diff was provided.",
  "The review was not performed.",
  "The tests were deleted, which is a blocking problem.",
  "Requires changes before it can be merged.",
  "This is unsafe to merge.",
  "Reject.",
  "NO GO.",
  "I would hold this back.",
];

/** The words where each form has room for them; everything else is as a pass demands. */
const PERFECT_FORM: Record<Contract, (words: string) => string> = {
  "decision-text": (words) => review("**[APPROVED]**", "None", words),
  "verdict-json": (words) => json({ summary: words }),
  "scorecard-json": (words) => card({ ticket_id: "7.2", revision_notes: words }),
  "findings-document": (words) => document({ summary: `${counts(0, 0, 0, 0)} ${words}` }),
  "issue-lines": (words) => result({ summary: words }),
};

function dissenting(contract: Contract): { name: string; text: string }[] {
  const folder = join(WRITTEN, contract);
  return [
    ...readdirSync(folder).map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") })),
    ...SENTENCES.map((words) => ({ name: words, text: PERFECT_FORM[contract](words) })),
  ];
}

const CHANGE = {
  "src/discount.ts": "export const percent = 10;\n",
  "test/discount.test.ts": "test('ten', () => {});\n",
};

function policyFor(contract: Contract): Policy {
  const policy = Object.values(POLICIES).find(({ reviewer }) => reviewer.contract === contract);
  if (policy === undefined) throw new Error(`no policy asks for ${contract}`);
  return policy;
}

function judged(policy: Policy, report: CompleteReport): string {
  const seen = { round: 1, head: "head", standing: [], regions: [], renames: {}, lastFix: undefined };
  return assess(policy, [], { ...seen, report, requirementsJudged: true }).verdict.result;
}

const SAYS_NO = { without_reservation: false, reservation: "It says no." };

/** What becomes of each answer under its policy, and what whoever reads it again was shown. */
async function verdictsOn(contract: Contract) {
  const policy = policyFor(contract);
  return await withChange({ "README.md": "shop\n" }, CHANGE, async (change, repo) => {
    const verdicts: { name: string; text: string; verdict: string; looked: string | undefined }[] = [];
    for (const { name, text } of dissenting(contract)) {
      const agent = playedAgent(({ again }) => (again === "approval" ? { structured: SAYS_NO } : { text }));
      const brief = {
        workItem: { id: "7.2", title: "Coupons", description: "Coupons." },
        round: 1,
        earlierFindings: [],
        turn: 1,
      };
      const reviewer = secondLookReviewer(agentReviewer(agent, policy, roomIn(repo), brief), policy);
      const { report } = await reviewer.review(change, new AbortController().signal);
      const verdict = report.status === "complete" ? judged(policy, report) : report.status;
      const looked = agent.requests.find(({ again }) => again === "approval")?.prompt;
      verdicts.push({ name, text, verdict, looked });
    }
    return verdicts;
  });
}

const CONTRACTS = Object.values(POLICIES).map(({ reviewer }) => reviewer.contract);

describe("of the answers that dissent or set conditions", () => {
  test.for(CONTRACTS)(
    "none in %s passes, by its form or without a second look at all of its words",
    async (contract) => {
      const verdicts = await verdictsOn(contract);
      expect(verdicts.filter(({ verdict }) => verdict === "pass").map(({ name }) => name)).toEqual([]);
      const byForm = verdicts.filter(({ looked }) => looked !== undefined);
      for (const { name, text, looked } of byForm) expect(looked, name).toContain(text.trim());
      // Some have a form without a fault, so that only the second look holds them; others are refused before it.
      expect(byForm.length).toBeGreaterThan(SENTENCES.length);
      expect(byForm.length).toBeLessThan(verdicts.length);
    },
  );

  test("most were written by people who saw only the prompts, in at least six languages", () => {
    const names = CONTRACTS.flatMap((contract) => readdirSync(join(WRITTEN, contract)));
    const all = names.length + SENTENCES.length * CONTRACTS.length;
    expect(all).toBeGreaterThanOrEqual(300);
    expect(names.length / all).toBeGreaterThanOrEqual(0.6);
    expect(new Set(names.map((name) => name.split("-")[2])).size).toBeGreaterThanOrEqual(6);
  });
});
