import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@anneal/engine";
import { openProject } from "@anneal/engine/project";
import { expect, test, vi } from "vitest";
import { makeNoise } from "../testing/noise.ts";
import { hub } from "./hub.ts";
import { type Sink, streamTo } from "./stream.ts";

test("a listener that read the log before the others were told hears nothing twice", async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "anneal-hub-")));
  execFileSync("git", ["init", "--quiet", root]);
  const project = await openProject(root, systemClock);
  const stream = hub("p", project.store);
  await makeNoise(root, { item: "f1", events: 300 });
  const { sink, seqs, notes } = memorySink();
  const options = { beatMs: 60_000, isAllowed: () => true, onError: vi.fn(), onTooSlow: vi.fn() };
  const stop = streamTo(sink, { hubs: new Map([["p", stream]]), since: { p: { seq: 0, part: 1_000_000 } } }, options);
  await vi.waitFor(() => expect(notes).toContain("stream:caught-up"));
  expect(seqs).toHaveLength(300);
  stream.wake();
  await makeNoise(root, { item: "f2", events: 200 });
  stream.close();
  expect(seqs).toEqual(Array.from({ length: 500 }, (_, n) => n + 1));
  expect(options.onError).not.toHaveBeenCalled();
  stop();
  project[Symbol.dispose]();
  rmSync(root, { recursive: true });
});

function memorySink() {
  const seqs: number[] = [];
  const notes: string[] = [];
  const sink: Sink = {
    send: (message) => void seqs.push(JSON.parse(String(message)).seq),
    note: ({ type }) => void notes.push(type),
    waiting: () => 0,
    drained: async () => {},
    isAlive: () => true,
    close: () => {},
    closed: false,
  };
  return { sink, seqs, notes };
}
