import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "@anneal/system/clock";
import { expect, test } from "vitest";
import { makeRepo } from "../../../git/src/testing/make-repo.ts";
import { currentLoop } from "../history/loop-history.ts";
import { Runtime } from "./runtime.ts";

test("a signal that comes after a loop's last step, while its worktree is put in order, is applied", async () => {
  using repo = makeRepo({ "README.md": "hello\n", ".gitignore": ".automaker/\n.worktrees/\n" });
  const folder = join(repo.dir, ".automaker/features/f1");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "feature.json"), '{"id":"f1","description":"d","status":"backlog"}');
  writeFileSync(
    join(repo.dir, ".automaker/script.json"),
    '{"steps":[{"role":"implementer","answer":"Nothing to do."}]}',
  );
  const script = `scripted:${join(repo.dir, ".automaker/script.json")}`;
  const speak = (loop: string) => {
    const word = { type: "signalled", id: "late", at: 1, signal: "stop", by: "a person" };
    runtime?.store.post({ id: "late", loop, body: { kind: "event", event: word } });
  };
  let spoken = false;
  const runtime = await Runtime.open({
    root: repo.dir,
    clock: systemClock,
    cast: { implementer: script, reviewer: script, fixer: script },
    onEvent: ({ state, loop }) => {
      if (state.stage !== "waiting-for-human" || spoken) return;
      spoken = true;
      // The loop looks for words once more in this turn, and in no later one.
      setImmediate(speak, loop);
    },
  });
  expect((await runtime?.run("f1"))?.stage).toBe("waiting-for-human");
  const row = runtime === null ? null : currentLoop(runtime.store, "f1");
  expect([row?.stage, row?.summary.outcome]).toEqual(["ended", "stopped"]);
  await runtime?.close();
});
