import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "@anneal/system/clock";
import type { LoopEvent } from "@anneal/types";
import { describe, expect, test } from "vitest";
import type { TestRepo } from "../../../git/src/testing/make-repo.ts";
import { logFolderOf } from "../log/index.ts";
import { Runtime } from "../project/runtime.ts";
import { approve, implement, own, project } from "../project/testing/project.ts";

const breaks = { ...implement, edits: [{ path: "broken", content: "yes\n" }] };
const mends = { role: "fixer", answer: "Mended.", edits: [{ path: "broken", delete: true }, ...implement.edits] };

function set(repo: TestRepo, changed: object): void {
  const file = join(repo.dir, ".automaker/settings.json");
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), ...changed }));
}

/** Runs feature a, up to an event of this type where one is given, and lets go of the project. */
async function run(repo: TestRepo, upTo?: LoopEvent["type"]) {
  const events: LoopEvent[] = [];
  const trouble: string[] = [];
  const runtime = await Runtime.open({
    root: repo.dir,
    clock: systemClock,
    onTrouble: (_, message) => trouble.push(message),
    onEvent: ({ event }) => {
      events.push(event);
      if (event.type === upTo) runtime?.stop();
    },
  });
  const state = await runtime?.run("a").catch((error: Error) => error);
  await runtime?.close();
  const checked = events.flatMap((event) => (event.type === "validated" ? [event.result] : []));
  return { state, events, trouble, checked };
}

describe("a loop is judged by the test command that it began with", () => {
  test.for([
    { what: "a weaker one", testCommand: ["true"] },
    { what: "none at all", testCommand: undefined },
  ])("$what in the settings changes nothing for it, and that is reported", async ({ testCommand }) => {
    const repo = project({ a: { steps: [breaks, mends, approve] } });
    set(repo, { testCommand: ["test", "!", "-e", "broken"], testTimeoutMs: 60_000 });
    await run(repo, "implemented");
    set(repo, { testCommand });
    const { state, checked, trouble } = await run(repo);
    expect(checked).toEqual(["failed", "passed"]);
    expect(state).toMatchObject({ outcome: "passed" });
    expect(trouble).toEqual([expect.stringContaining("continues with the test command `test ! -e broken`")]);
  });

  test("a loop from before that was recorded is bound by its next checks", async () => {
    const repo = project({ a: { steps: [breaks, mends, approve] } });
    set(repo, { testCommand: ["test", "!", "-e", "broken"] });
    await run(repo, "implemented");
    forgetChecks(repo);
    const { events } = await run(repo, "validated");
    expect(events.find(({ type }) => type === "validated")).toMatchObject({
      checks: { testCommand: ["test", "!", "-e", "broken"] },
    });
    set(repo, { testCommand: ["true"] });
    expect(await run(repo)).toMatchObject({ state: { outcome: "passed" }, trouble: [expect.anything()] });
  });
});

describe("a test command that cannot be run is nobody's to fix in the code", () => {
  test("a program that is nowhere is refused before anything starts, by the setting's location", async () => {
    const repo = project({ a: { steps: [implement, approve] } });
    set(repo, { testCommand: "nosuchcmd --all" });
    const { state, events } = await run(repo);
    expect(state).toMatchObject({
      message: expect.stringMatching(/^\.automaker\/settings\.json:1: testCommand: nosuchcmd was not/),
    });
    expect(events).toEqual([]);
  });

  test.for([{ command: ["sh", "-c", "nosuchcmd"] }, { command: ["./nosuchfile"] }])(
    "$command is missing without the change too: it waits for a person, and a retry takes the corrected setting",
    async ({ command }) => {
      const repo = project({ a: { steps: [breaks, mends, approve] } });
      set(repo, { testCommand: command });
      const { state, events } = await run(repo);
      expect(state).toMatchObject({ reason: "misconfigured", repairs: 0, options: ["retry", "stop"] });
      expect(state).toMatchObject({ detail: expect.stringMatching(/^testCommand is `.*not found.*settings\.json/) });
      expect(events.filter(({ type }) => type === "broke" || type === "fixed")).toHaveLength(1);

      set(repo, { testCommand: ["test", "!", "-e", "broken"] });
      const runtime = await own(repo);
      const word = { type: "signalled", id: "w", at: 1, signal: "retry", by: "ada" };
      runtime.store.post({ id: "w", loop: "a~1", body: { kind: "event", event: word } });
      await runtime.inbox.empty();
      expect(await runtime.run("a")).toMatchObject({
        outcome: "passed",
        checks: { testCommand: ["test", "!", "-e", "broken"] },
      });
    },
  );

  test("a program that the change took away is the change's fault", async () => {
    const takes = { ...implement, edits: [{ path: "check.sh", delete: true }, ...implement.edits] };
    const brings = { role: "fixer", answer: "Back.", edits: [{ path: "check.sh", content: "exit 0\n" }] };
    const repo = project({ a: { steps: [takes, brings, approve] } });
    repo.commit({ "check.sh": "exit 0\n" }, "a check");
    set(repo, { testCommand: ["sh", "-c", "test -e check.sh || exit 127"] });
    expect(await run(repo)).toMatchObject({ checked: ["failed", "passed"], state: { outcome: "passed" } });
  });
});

/** Makes the log what an older Anneal would have written. */
function forgetChecks(repo: TestRepo): void {
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
  const db = new DatabaseSync(logFolderOf(repo).database);
  const changed = db
    .prepare("UPDATE events SET body = json_remove(body, '$.checks') WHERE type = 'loop-started'")
    .run();
  expect(changed.changes).toBe(1);
  db.close();
}
