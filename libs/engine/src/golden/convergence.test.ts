import { POLICIES } from "@anneal/core";
import { describe, expect, test } from "vitest";
import { currentLoop, historyOf, statusOf } from "../project.ts";
import { decisionText } from "../review/testing/decision-text.ts";
import { type Plan, type SampleProject, sampleProject } from "./testing/sample-project.ts";

const edit = (role: string, lines: string[]) => ({
  role,
  answer: "Worked on it.",
  edits: [{ path: "src/cart.js", content: `${lines.join("\n")}\n` }],
});
const rejected = (issues: { title: string; line: number }[]) => ({
  role: "reviewer",
  answer: `**[REJECTED]**\n\n### Issues Found\n${issues
    .map(
      ({ title, line }) =>
        `- **[CODE]** - error: ${title}\n  - Description: d\n  - File: src/cart.js\n  - Line: ${line}`,
    )
    .join("\n")}\n\n### Summary\nNot yet.\n\nMend it.\n\nEND OF REVIEW\n`,
});
const approved = {
  role: "reviewer",
  answer: decisionText("APPROVED", "None", "Good."),
};
const LEAKS = { title: "The total leaks", line: 1 };
const SLOW = { title: "The total is slow", line: 1 };

// Nine rounds: what ends these loops is never the limit of rounds.
const { gate } = POLICIES;
const patient = { ...gate, name: "patient", limits: { ...gate.limits, reviews: 9, fixes: 8 } };

async function started(steps: Plan["steps"], policy: "gate" | "patient" = "patient") {
  const project = await sampleProject({ settings: { policies: [patient] } });
  const id = await project.add({ title: "Add a cart", description: "With a total.", policy }, { steps });
  await project.run([id]);
  return { ...project, id };
}

/** What `anneal status` and `anneal show` tell. */
async function shown({ read, id }: SampleProject & { id: string }) {
  return read(async (reader) => {
    const [line] = await statusOf(reader);
    const row = reader.store === null ? null : currentLoop(reader.store, id);
    if (reader.store === null || row === null || !line?.loop) throw new Error("there is no loop");
    const { state, events } = historyOf(reader.store, row);
    const { stage, reason, detail, legal, round, maxRounds } = line.loop;
    const agents = events.filter(({ event }) => event.type === "reviewed" || event.type === "fixed").length;
    return { status: line.status, stage, reason, detail, legal, round, maxRounds, agents, findings: state.findings };
  });
}

const WAITS = { status: "in_progress", stage: "waiting-for-human", legal: ["resume", "stop"] };

describe("a loop that stalls ends at a person's decision", () => {
  const begun = [edit("implementer", ["leak();"]), rejected([LEAKS])];
  const stalled = {
    ...WAITS,
    reason: "stalled",
    detail: expect.stringContaining("the fix changed nothing and refuted nothing"),
    round: 1,
    agents: 2,
    findings: [{ finding: { title: LEAKS.title }, disposition: { kind: "open" } }],
  };

  test("that is named, without another paid review, and goes on from there on a person's word", async () => {
    const nothing = { role: "fixer", answer: "I see nothing." };
    const project = await started([...begun, nothing, edit("fixer", ["total();"]), approved], "gate");
    expect(await shown(project)).toMatchObject({ ...stalled, maxRounds: 3 });
    expect(await project.say(project.id, "resume", "Free the total.")).toMatchObject({ result: "taken" });
    await project.run([project.id]);
    expect(project.feature(project.id).status).toBe("verified");
  });

  test("also where the fixer writes what is there already, however many rounds are left", async () => {
    expect(await shown(await started([...begun, edit("fixer", ["leak();"])]))).toMatchObject({
      ...stalled,
      maxRounds: 9,
    });
  });
});

describe("a loop that oscillates ends at a person's decision, with the location named", () => {
  test("when a finding comes back after it was resolved", async () => {
    const project = await started([
      ...[edit("implementer", ["leak();"]), rejected([LEAKS]), edit("fixer", ["slow();"]), rejected([SLOW])],
      ...[edit("fixer", ["leak();"]), rejected([LEAKS])],
    ]);
    expect(await shown(project)).toMatchObject({
      ...WAITS,
      reason: "oscillating",
      detail: expect.stringContaining('"The total leaks" in src/cart.js:1 came back after it was resolved'),
      round: 3,
      maxRounds: 9,
      agents: 5,
      findings: [
        { finding: { title: LEAKS.title }, lifecycle: "regressed", disposition: { kind: "open" } },
        { finding: { title: SLOW.title }, disposition: { kind: "fixed" } },
      ],
    });
  });

  test("when over two rounds the fixes made more than they resolved", async () => {
    const project = await started([
      ...[edit("implementer", ["one();"]), rejected([{ title: "Basket stays empty", line: 1 }])],
      edit("fixer", ["two();", "three();"]),
      rejected([
        { title: "Prices go negative", line: 1 },
        { title: "Shipping counted for gifts", line: 2 },
      ]),
      edit("fixer", ["two();", "four();", "five();"]),
      rejected([
        { title: "Prices go negative", line: 1 },
        { title: "Taxes rounded down", line: 2 },
        { title: "Coupon never expires", line: 3 },
      ]),
    ]);
    expect(await shown(project)).toMatchObject({
      ...WAITS,
      reason: "oscillating",
      detail: expect.stringContaining("the fixes caused 4 findings and resolved 2, around src/cart.js:1"),
      round: 3,
      agents: 5,
    });
  });

  test("within the rounds of gate it is still called by its name, not by the limit", async () => {
    const project = await started(
      [
        ...[edit("implementer", ["leak();"]), rejected([LEAKS]), edit("fixer", ["slow();"]), rejected([SLOW])],
        ...[edit("fixer", ["leak();"]), rejected([LEAKS]), edit("fixer", ["total();"]), approved],
      ],
      "gate",
    );
    expect(await shown(project)).toMatchObject({ ...WAITS, reason: "oscillating", round: 3, maxRounds: 3 });
    expect(await project.say(project.id, "resume", "Neither leak nor be slow.")).toMatchObject({ result: "taken" });
    await project.run([project.id]);
    expect(project.feature(project.id).status).toBe("verified");
  });
});
