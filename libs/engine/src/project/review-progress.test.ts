import { expect, test } from "vitest";
import { openBlobs } from "../log/blobs.ts";
import { tempProject } from "../log/testing/project.ts";
import { openTranscripts } from "../log/transcripts.ts";
import type { AgentActivity } from "../loop/recorder.ts";
import { progressing } from "./review-progress.ts";

const SECOND = 1_000;

/** Says words as agents do, each after so much time; gives what is reported of them, with the number of its round. */
function listening(kind: "feature" | "story" = "feature", secrets: string[] = []) {
  let now = 0;
  const clock = { now: () => now, sleep: async () => {} };
  const project = { gitDir: tempProject() };
  const transcripts = openTranscripts(project, { clock, blobs: openBlobs(project, { clock }) });
  const reported: string[] = [];
  const seen: AgentActivity[] = [];
  const record = progressing(["f1~1", { kind, id: "f1" }], transcripts, {
    clock,
    secrets,
    onSeen: (one) => seen.push(one),
    onProgress: ({ loop, item, seed: { type, payload } }) => {
      expect([loop, item, type, payload.featureId]).toEqual(["f1~1", "f1", "feature:code-review-progress", "f1"]);
      reported.push(`${payload.iterationNumber}: ${payload.message}`);
    },
  });
  const say = (text: string, { afterMs = 0, agent = "a", role = "reviewer" as AgentActivity["role"] } = {}) => {
    now += afterMs;
    record.hear({ agent, role, event: { kind: "text", text } });
  };
  const pass = (ms: number) => {
    now += ms;
  };
  return { reported, seen, record, say, pass };
}

test("the words of a review are sent at once, then in batches, and the rest before the review ends", () => {
  const { reported, record, say } = listening();
  record.begin("reviewing", 1, 2);
  say("I look. ");
  for (const word of ["at ", "each ", "file. "]) say(word, { afterMs: 100 });
  expect(reported).toEqual(["2: I look. "]);
  say("Done", { afterMs: SECOND });
  expect(reported).toEqual(["2: I look. ", "2: at each file. Done"]);
  say(".", { afterMs: 1 });
  record.end();
  expect(reported.at(-1)).toBe("2: .");
});

test("a tool that is used after a while tells what was said before it", () => {
  const { reported, record, say, pass } = listening();
  record.begin("reviewing", 1, 1);
  say("One. ");
  say("Two.");
  pass(SECOND);
  record.hear({ agent: "a", role: "reviewer", event: { kind: "tool", name: "read", detail: "a.ts" } });
  expect(reported).toEqual(["1: One. ", "1: Two."]);
});

test("one message has the words of one reviewer", () => {
  const { reported, record, say } = listening();
  record.begin("reviewing", 1, 1);
  say("first");
  say("mine", { agent: "a" });
  say("yours", { agent: "b" });
  record.drop();
  expect(reported).toEqual(["1: first", "1: mine", "1: yours"]);
});

test("what is too much for a message is sent in several, and what is too much for a review is in its transcript", () => {
  const { reported, record, say } = listening();
  record.begin("reviewing", 1, 1);
  say("x".repeat(5_000));
  expect(reported.map((one) => one.length)).toEqual([2_003, 2_003, 1_003]);
  say("y".repeat(90_000));
  record.end();
  expect(reported.at(-1)).toBe("1: … the rest is in the transcript");
  expect(reported.join("").length).toBeLessThan(33_000);
  expect(reported.filter((one) => one.includes("transcript"))).toHaveLength(1);
});

test("nothing is reported of other work, of other roles, of a review that is over, and of items whose seed has no name for it", () => {
  for (const { kind, stage, role } of [
    { kind: "feature", stage: "fixing", role: "fixer" },
    { kind: "feature", stage: "fixing", role: "reviewer" },
    { kind: "feature", stage: "reviewing", role: "fixer" },
    { kind: "story", stage: "reviewing", role: "reviewer" },
  ] as const) {
    const { reported, seen, record, say } = listening(kind);
    record.begin(stage, 1, 1);
    say("words", { role });
    record.end();
    say("late", { role, afterMs: SECOND });
    expect([reported, seen.length > 0]).toEqual([[], true]);
  }
});

test("a secret is not reported, also in pieces", () => {
  const { reported, record, say } = listening("feature", ["sesame-open-now"]);
  record.begin("reviewing", 1, 1);
  for (const text of ["it is sesa", "me-open", "-now."]) say(text, { afterMs: SECOND });
  record.end();
  expect(reported.join("")).toContain("[redacted]");
  expect(reported.join("")).not.toMatch(/sesa|open/);
});
