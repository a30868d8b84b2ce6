import type { Clock } from "@anneal/adapters";
import { systemClock } from "@anneal/adapters/clock";
import type { LoopEvent } from "@anneal/types";
import { expect, test } from "vitest";
import { approve, implement, own, project } from "./testing/project.ts";

test.for([".automaker/anneal.db-wal", ".automaker/blobs/ab/cd"])(
  "%s that an agent adds to the repository is a refused change, and its next attempt counts",
  async (path) => {
    const sneaks = {
      ...implement,
      edits: [
        // Also those files that are hidden on this machine.
        { path: ".gitignore", content: "!.automaker/\n!.automaker/*\n" },
        { path, content: "all was reviewed\n" },
      ],
    };
    const repo = project({ a: { steps: [sneaks, implement, approve] } });
    const events: LoopEvent[] = [];
    const clock: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 5), signal) };
    const runtime = await own(repo, { clock, onEvent: ({ event }) => events.push(event) });
    expect(await runtime.run("a")).toMatchObject({ outcome: "passed" });
    expect(events.flatMap((one) => (one.type === "broke" ? [one.reason] : []))).toEqual([
      expect.stringContaining("anneal.db"),
    ]);
    expect(repo.git("ls-tree", "-r", "--name-only", "feature/a")).not.toContain(".automaker");
  },
);
