import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Agent, AgentRequest } from "@anneal/adapters";
import { POLICIES } from "@anneal/core";
import type { Policy } from "@anneal/types";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { standIn } from "../../../adapters/src/agents/cli/testing/stand-in.ts";
import { signed } from "../../../core/src/read/testing/sign-off.ts";
import { scorecard } from "../golden/testing/sample-epics.ts";
import { findings } from "../golden/testing/sample-stories.ts";
import { withChange } from "../review/reviewers/testing/reviewed.ts";
import { withoutCopies } from "../review/reviewers/testing/without-copies.ts";
import { decisionText } from "../review/testing/decision-text.ts";
import type { AgentTerms } from "./fitted.ts";
import { checkReviewer, roundReviewer } from "./reviewers.ts";

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "anneal-second-look-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

/** What passes under each policy. */
const PASS = {
  gate: decisionText("APPROVED"),
  "pull-request": { verdict: "pass", issues: [], summary: "Fine.", rulings: [], sign_off: signed },
  scored: scorecard(),
  adversarial: findings(1, [0, 0, 0]).answer,
  advisory: { passed: true, summary: "Fine.", issues: [], sign_off: signed },
};

function script(name: string, steps: object[]): string {
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify({ model: name, steps }));
  return `scripted:${file}`;
}

/** Which agents were asked whether the answer approves, and what became of the review. */
async function reviewed(
  named: string,
  policy: keyof typeof PASS,
  secondLook?: AgentTerms["secondLook"],
  setups: AgentTerms["setups"] = {},
  more: Partial<Policy> = {},
) {
  const asked: (AgentRequest & { of: string | undefined })[] = [];
  const through = async (agent: Agent): Promise<Agent> => ({
    ...agent,
    run: async (request, ...rest) => {
      const run = await agent.run(request, ...rest);
      asked.push({ ...request, of: run.model });
      return run;
    },
  });
  const parts = { policy: { ...POLICIES[policy], ...more }, terms: { secondLook, setups }, model: undefined, through };
  return await withChange({ "a.ts": "1\n" }, { "a.ts": "2\n" }, async (change, repo) => {
    const reviewer = (await roundReviewer(named, { ...parts, place: withoutCopies(repo) }))({
      workItem: { id: "bucket", title: "t", description: "d" },
      round: 1,
      earlierFindings: [],
      turn: 1,
    });
    const { report } = await reviewer.review(change, new AbortController().signal);
    return { report, looks: asked.filter(({ again }) => again === "approval") };
  });
}

const ALL = Object.keys(PASS) as (keyof typeof PASS)[];
const own = (policy: keyof typeof PASS) => script("own", [{ role: "reviewer", answer: PASS[policy] }]);

describe("whether a passing answer is read once more", () => {
  test.for([
    ...ALL.map((policy) => ({ policy, when: undefined, looks: 1 })),
    ...ALL.map((policy) => ({ policy, when: "always" as const, looks: 1 })),
    ...ALL.map((policy) => ({ policy, when: "never" as const, looks: 0 })),
    { policy: "gate", when: "merging", looks: 0 },
    { policy: "pull-request", when: "merging", looks: 0 },
    { policy: "scored", when: "merging", looks: 1 },
    { policy: "adversarial", when: "merging", looks: 1 },
    { policy: "advisory", when: "merging", looks: 1 },
  ] as const)("under $policy where the setting is $when: $looks", async ({ policy, when, looks }) => {
    const result = await reviewed(own(policy), policy, when === undefined ? undefined : { when });
    expect(result.report).toMatchObject({ status: "complete", findings: [] });
    expect(result.looks.map(({ of }) => of)).toEqual(Array.from({ length: looks }, () => "own"));
  });

  test("each of several reviewers is read by its own agent", async () => {
    const second = script("second", [{ role: "reviewer", answer: PASS.gate }]);
    const { looks } = await reviewed(`${own("gate")}+builtin+${second}`, "gate");
    expect(looks.map(({ of }) => of).sort()).toEqual(["own", "second"]);
  });
});

describe("the agent that is named for it", () => {
  const by = (approval?: object) =>
    script("other", [{ role: "analyst", ...(approval === undefined ? {} : { again: { approval } }) }]);

  test("reads the answer, as an analyst and with the time of a review", async () => {
    const { looks } = await reviewed(own("gate"), "gate", { by: by() });
    const { timeoutMs } = POLICIES.gate.reviewer;
    expect(looks).toMatchObject([{ of: "other", role: "analyst", turn: 1, limits: { timeoutMs } }]);
  });

  test("takes the verdict away", async () => {
    const approval = { without_reservation: false, reservation: "As it stands." };
    const { report } = await reviewed(own("gate"), "gate", { by: by(approval) });
    expect(report).toEqual({
      status: "inconclusive",
      reason: 'The review passes by its form, but scripted reads a reservation in it: "As it stands.".',
    });
  });

  test.for(["never", "always"] as const)("has to be one that there is, unless it is asked %s", async (when) => {
    const terms = { secondLook: { when, by: "oracle" } };
    const checked = checkReviewer("builtin", { policy: POLICIES.gate, terms, model: undefined });
    if (when === "never") await checked;
    else await expect(checked).rejects.toThrow('unknown agent "oracle" for the analyst');
  });
});

test("the words of codex review are read by codex, with its model", async () => {
  const looked = ["exec", "/bin/bash -lc 'git diff main' in /x", " succeeded in 0ms:", "-1", "+2"];
  const said = JSON.stringify({ without_reservation: false, reservation: "for now" });
  const lines = [
    { type: "thread.started", thread_id: "t" },
    { type: "item.completed", item: { type: "agent_message", text: said } },
    { type: "turn.completed", usage: { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1 } },
  ];
  const command = [
    ...standIn(folder, [
      { stdout: ["No issues found."], stderr: looked },
      { stdout: lines.map((line) => JSON.stringify(line)) },
    ]),
  ];
  const setups = { codex: { command, unsandboxed: "allowed" as const } };
  const { report, looks } = await reviewed("codex-review:gpt-5", "adversarial", undefined, setups);
  expect(looks).toMatchObject([{ role: "analyst", limits: { timeoutMs: POLICIES.adversarial.reviewer.timeoutMs } }]);
  const asked: { args: string[] } = JSON.parse(readFileSync(join(folder, "asked.json"), "utf8"));
  expect(asked.args.join(" ")).toContain("gpt-5");
  expect(report).toMatchObject({
    status: "inconclusive",
    reason: expect.stringContaining('codex reads a reservation in it: "for now"'),
  });
});

describe("a rejection whose only finding the verifying agent refutes", () => {
  const issue = "- **[CODE]** - error: Wrong constant\n  - Description: It is 2.\n  - File: a.ts\n  - Line: 1";
  const answer = decisionText("REJECTED", issue, "Two requirements are not met.");
  const rulings = [{ finding: 1, ruling: "unconfirmed", evidence: "Callers want 2.", quote: null }];
  const verifier = () => script("verifier", [{ role: "analyst", answer: { rulings } }]);
  const refuted = (approval: object, secondLook?: AgentTerms["secondLook"], others = "") => {
    const reviewer = { ...POLICIES.gate.reviewer, verification: { by: verifier() } };
    const named = script("own", [{ role: "reviewer", answer, again: { approval } }]);
    return reviewed(`${named}${others}`, "gate", secondLook, {}, { reviewer });
  };

  test.for(["", "+builtin"])("is read by its reviewer's own agent, alone and as one of several%s", async (others) => {
    const plain = await refuted({ without_reservation: true, reservation: null }, undefined, others);
    expect(plain.looks.map(({ of }) => of)).toEqual(["own"]);
    expect(plain.report).toMatchObject({ status: "complete" });
    expect(plain.report).not.toHaveProperty("signedOff");
    const held = await refuted({ without_reservation: false, reservation: "not met" }, undefined, others);
    expect(held.report).toMatchObject({ status: "inconclusive" });
  });

  test("stays without a sign-off where nobody reads it", async () => {
    const { report, looks } = await refuted({}, { when: "never" });
    expect({ report, looks }).toMatchObject({ report: { signedOff: false }, looks: [] });
  });
});

describe("reviewers without an agent have none", () => {
  test.for(["builtin", "sarif"])("%s", async (name) => {
    const log = { version: "2.1.0", runs: [{ tool: { driver: { name: "lint" } }, results: [] }] };
    writeFileSync(join(folder, "log.sarif"), JSON.stringify(log));
    const named = name === "sarif" ? `sarif:${join(folder, "log.sarif")}` : name;
    for (const secondLook of [undefined, { by: script("other", [{ role: "analyst" }]) }]) {
      const { report, looks } = await reviewed(named, "adversarial", secondLook);
      expect({ status: report.status, looks }).toEqual({ status: "complete", looks: [] });
    }
  });
});
