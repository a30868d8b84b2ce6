import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { openBlobs } from "./blobs.ts";
import { tempProject } from "./testing/project.ts";
import { openTranscripts, runningTranscript, transcriptLines } from "./transcripts.ts";

const run = { loop: "feature:a/b", role: "fixer", turn: 2 };

function opened(longest?: number) {
  const root = tempProject();
  const clock = { now: () => 7 };
  const blobs = openBlobs({ gitDir: root }, { clock });
  const transcripts = openTranscripts(
    { gitDir: root },
    { clock, blobs, ...(longest === undefined ? {} : { longest }) },
  );
  return { root, blobs, transcripts };
}

function running(root: string): string[] {
  const folder = dirname(runningTranscript({ gitDir: root }, run));
  return existsSync(folder) ? readdirSync(folder) : [];
}

test("what an agent does can be read while it works, and is a blob afterwards", () => {
  const { root, blobs, transcripts } = opened();
  const recording = transcripts.begin(run);
  recording.add("codex", { kind: "tool", name: "Edit", detail: "a.ts" });
  recording.add("codex", { kind: "text", text: "done\nü" });
  const lines =
    '{"at":7,"by":"codex","kind":"tool","name":"Edit","detail":"a.ts"}\n{"at":7,"by":"codex","kind":"text","text":"done\\nü"}\n';
  expect(readFileSync(runningTranscript({ gitDir: root }, run), "utf8")).toBe(lines);
  expect(running(root)).toEqual([expect.stringMatching(/^feature-a-b-[0-9a-f]{8}\.fixer-2\.jsonl\.anneal-tmp$/)]);
  const hash = recording.end();
  expect(blobs.getText(hash ?? "")).toBe(lines);
  expect(running(root)).toEqual([]);
});

test("a long record comes back line by line", () => {
  const { blobs, transcripts } = opened();
  const recording = transcripts.begin(run);
  const text = "ü".repeat(700_000);
  for (let n = 0; n < 3; n++) recording.add("codex", { kind: "text", text: `${n} ${text}` });
  const lines = [...transcriptLines(blobs, recording.end() ?? "")];
  expect(
    lines.map((line) => line.kind === "text" && [line.by, line.text === `${lines.indexOf(line)} ${text}`]),
  ).toEqual(Array(3).fill(["codex", true]));
});

test("the same record a second time is the same blob", () => {
  const { root, transcripts } = opened();
  const ends = [1, 2].map((turn) => {
    const recording = transcripts.begin({ ...run, turn });
    recording.add("codex", { kind: "text", text: "same" });
    return recording.end();
  });
  expect(ends[0]).toBe(ends[1]);
  expect(running(root)).toEqual([]);
});

test("nothing seen leaves nothing", () => {
  const { root, transcripts } = opened();
  expect(transcripts.begin(run).end()).toBeNull();
  expect(running(root)).toEqual([]);
});

test("a try that was cut off is replaced by the next one, or cleared", () => {
  const { root, transcripts } = opened();
  transcripts.begin(run).add("codex", { kind: "text", text: "cut off" });
  const again = transcripts.begin(run);
  again.add("codex", { kind: "text", text: "again" });
  expect(readFileSync(again.path, "utf8")).not.toContain("cut off");
  transcripts.clear();
  expect(existsSync(runningTranscript({ gitDir: root }, run))).toBe(false);
});

test("a record that is too long says that it stops", () => {
  const { blobs, transcripts } = opened(100);
  const recording = transcripts.begin(run);
  for (let n = 0; n < 100; n++) recording.add("codex", { kind: "text", text: `line ${n}` });
  const lines = blobs
    .getText(recording.end() ?? "")
    .trim()
    .split("\n");
  expect(lines.length).toBeLessThan(6);
  expect(lines.at(-1)).toContain("cut here");
});

test.for([
  { what: "whose name is as long as that of a branch may be", loops: [`branch:${"topic/".repeat(40)}a~1`] },
  { what: "whose names differ only in what no file name has", loops: ["branch:a/b~1", "branch:a-b~1"] },
])("loops $what are recorded each for itself", ({ loops }) => {
  const { blobs, transcripts } = opened();
  const recordings = loops.map((loop) => ({ loop, recording: transcripts.begin({ ...run, loop }) }));
  for (const { loop, recording } of recordings) recording.add("codex", { kind: "text", text: loop });
  for (const { loop, recording } of recordings) expect(blobs.getText(recording.end() ?? "")).toContain(loop);
});
