import { rmSync } from "node:fs";
import { scriptedAgent } from "@anneal/adapters/scripted";
import { expect, test } from "vitest";
import { openBlobs } from "../log/blobs.ts";
import { tempProject } from "../log/testing/project.ts";
import { openTranscripts } from "../log/transcripts.ts";
import { type AgentActivity, recordedAgent, recorder } from "./recorder.ts";

const clock = { now: () => 1 };
const about = { loop: "feature:f.1", item: "f" };

function project() {
  const root = tempProject();
  const blobs = openBlobs({ gitDir: root }, { clock });
  return { root, blobs, transcripts: openTranscripts({ gitDir: root }, { clock, blobs }) };
}

test("what an agent does is reported at once, and kept as the record of its attempt", async () => {
  const { root, blobs, transcripts } = project();
  const seen: AgentActivity[] = [];
  const record = recorder(about, transcripts, { onSeen: (one) => seen.push(one) });
  const script = { steps: [{ edits: [{ path: "a", content: "a" }], answer: "done" }] };
  const agent = recordedAgent(scriptedAgent(script), record);
  record.begin("fixing", 1);
  const request = { role: "fixer", prompt: "", cwd: root, limits: { timeoutMs: 60_000 } } as const;
  await agent.run(request, new AbortController().signal);
  expect(seen.map(({ item, role, event }) => [item, role, event.kind])).toEqual([
    ["f", "fixer", "tool"],
    ["f", "fixer", "text"],
  ]);
  const lines = blobs
    .getText(record.end() ?? "")
    .trim()
    .split("\n");
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { at: 1, by: "scripted", kind: "tool", name: "edit", detail: "a" },
    { at: 1, by: "scripted", kind: "text", text: "done" },
  ]);
});

test("a secret is neither reported nor kept, whoever says it, also in pieces", () => {
  const { blobs, transcripts } = project();
  const seen: AgentActivity[] = [];
  const record = recorder(about, transcripts, { onSeen: (one) => seen.push(one), secrets: ["sesame-open-now"] });
  record.begin("reviewing", 1);
  const say = (agent: string, text: string) => record.hear({ agent, role: "reviewer", event: { kind: "text", text } });
  for (const [agent, text] of [
    ["a", "it is ses"],
    ["b", "and sesame"],
    ["a", "ame-open"],
    ["b", "-open-now too"],
    ["a", "-now, and sesame"],
  ] as const)
    say(agent, text);
  record.hear({ agent: "a", role: "reviewer", event: { kind: "tool", name: "read", detail: "sesame-open-now.txt" } });
  const kept = blobs.getText(record.end() ?? "");
  for (const text of [kept, JSON.stringify(seen)]) expect(text).not.toMatch(/sesame-open-now/);
  const said = (agent: string) =>
    seen.flatMap((one) => (one.agent === agent && one.event.kind === "text" ? [one.event.text] : [])).join("");
  expect([said("a"), said("b")]).toEqual(["it is [redacted], and sesame", "and [redacted] too"]);
});

test("stages without agents leave no record", () => {
  const { transcripts } = project();
  const record = recorder(about, transcripts, {});
  record.begin("committing", 1);
  record.hear({ agent: "a", role: "fixer", event: { kind: "note", text: "late" } });
  expect(record.end()).toBeNull();
});

test("a record that cannot be kept is reported, and harms nothing else", () => {
  const { root, transcripts } = project();
  const troubles: string[] = [];
  const record = recorder(about, transcripts, { onTrouble: (item, message) => troubles.push(`${item}: ${message}`) });
  record.begin("reviewing", 1);
  record.hear({ agent: "a", role: "reviewer", event: { kind: "text", text: "x" } });
  rmSync(root, { recursive: true });
  expect(record.end()).toBeNull();
  expect(troubles).toEqual([expect.stringMatching(/^f: the transcript of an agent was lost: /)]);
});

test("a full disk loses the record of the attempt once: what to do is reported, and nothing stays open", () => {
  const calls: string[] = [];
  const full = () => {
    calls.push("add");
    throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  };
  const recording = { path: "", add: full, end: () => null, drop: () => void calls.push("drop") };
  const troubles: string[] = [];
  const record = recorder(
    about,
    { begin: () => recording, clear: () => {} },
    { onTrouble: (item, message) => troubles.push(`${item}: ${message}`) },
  );
  record.begin("fixing", 1);
  for (const text of ["a", "b"]) record.hear({ agent: "a", role: "fixer", event: { kind: "note", text } });
  expect(record.end()).toBeNull();
  expect(calls).toEqual(["add", "drop"]);
  expect(troubles).toEqual(["f: the transcript of an agent was lost: the disk is full: free some space on it"]);
});
