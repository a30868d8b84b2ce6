import { DatabaseSync } from "node:sqlite";
import { systemClock } from "@anneal/system/clock";
import { expect, test, vi } from "vitest";
import { openReader } from "../history/reader.ts";
import type { EventMessage, ProjectStore } from "../history/store-log.ts";
import { logFolderOf } from "../log/index.ts";
import { OwnerInbox } from "../signals/owner-inbox.ts";
import { sendSignal } from "../signals/send-signal.ts";
import { runItems } from "./auto-mode.ts";
import { statusOf } from "./status.ts";
import { approve, idle, implement, otherProcess, own, project } from "./testing/project.ts";

const word = (id: string, signal: "stop" | "resume" | "retry"): EventMessage => ({
  kind: "event",
  event: { type: "signalled", id, at: 1, signal, by: "Robin" },
});

/** A project whose f1 waits for a person, under rules that are not those of today. */
async function differing(steps: object[] = [idle]) {
  const repo = project({ f1: { steps: [...steps, implement, approve] }, f2: { steps: [implement, approve] } });
  const before = await own(repo);
  expect(await before.run("f1")).toMatchObject({ stage: "waiting-for-human" });
  await before.close();
  const database = new DatabaseSync(logFolderOf(repo).database);
  database.exec("UPDATE events SET stage = 'fixing' WHERE type = 'implemented'");
  database.close();
  return repo;
}

const DETAIL = "the log has fixing after implemented, but the current rules lead to waiting-for-human";

test("a signal to a loop whose replay differs is refused, the loop waits for a person, and the others run", async () => {
  const repo = await differing();
  const runtime = await own(repo);
  runtime.store.post({ id: "w1", loop: "f1~1", body: word("w1", "retry") });
  const { settled, broken } = await runItems(runtime, {
    only: ["f2"],
    limit: 1,
    stays: false,
    signal: new AbortController().signal,
  });
  expect([...broken]).toEqual([]);
  expect(settled.get("f2")).toMatchObject({ stage: "ended", outcome: "passed" });
  expect(runtime.store.takeInbox()).toEqual([]);
  expect(runtime.store.inboxAnswer("w1")).toEqual({
    taken: true,
    reason: "retry is not possible while waiting (replay-differs); possible: stop",
  });
  using reader = await openReader(repo.dir, systemClock);
  const [line] = await statusOf(reader);
  expect(line?.loop).toMatchObject({
    stage: "waiting-for-human",
    reason: "replay-differs",
    legal: ["stop"],
    detail: DETAIL,
  });
});

test("stop ends it, whoever says so, and another loop can begin", async () => {
  const repo = await differing();
  const store = otherProcess(repo);
  const row = store.loop("f1~1");
  if (row === null) throw new Error("no such loop");
  const answer = await sendSignal({ root: repo.dir, store, row, by: "Robin", clock: systemClock }, { signal: "stop" });
  expect(answer).toMatchObject({ result: "taken", state: { stage: "ended", outcome: "stopped" } });
  expect(store.loop("f1~1")).toMatchObject({ stage: "ended", summary: { outcome: "stopped" } });
  const runtime = await own(repo);
  expect(await runtime.features.get("f1")).toMatchObject({ feature: { status: "backlog" } });
  expect(await runtime.run("f1")).toMatchObject({ stage: "waiting-for-human", reason: "no-change" });
  expect(runtime.store.loop("f1~2")).toMatchObject({ stage: "waiting-for-human" });
});

test("an item that is run while its replay differs waits for a person instead", async () => {
  const runtime = await own(await differing());
  expect(await runtime.run("f1")).toMatchObject({ stage: "waiting-for-human", reason: "replay-differs" });
  expect(await runtime.run("f1")).toMatchObject({ stage: "waiting-for-human", reason: "replay-differs" });
  const differed = [...runtime.store.events("f1~1")].filter(({ event }) => event.type === "replay-differed");
  expect(differed).toHaveLength(1);
});

test("a signal that cannot be taken is answered with the reason, and those after it are applied", async () => {
  const repo = project({ f1: { steps: [] } });
  const store: ProjectStore = otherProcess(repo);
  for (const loop of ["f1~1", "f2~1"])
    store.append(loop, [{ event: { type: "nothing-to-commit", at: 1 }, stage: "reviewing", summary: {} as never }]);
  const heard: string[] = [];
  const reported: string[] = [];
  const inbox = new OwnerInbox(store, {
    isAtWork: () => false,
    interrupt: () => {},
    onTrouble: (item, message) => reported.push(`${item}: ${message}`),
    applySignals: async (loop) => {
      if (loop === "f1~1") throw new Error("its log is damaged");
      heard.push(loop);
    },
  });
  store.post({ id: "w1", loop: "f1~1", body: word("w1", "stop") });
  store.post({ id: "w2", loop: "f2~1", body: word("w2", "stop") });
  await inbox.empty();
  expect(heard).toEqual(["f2~1"]);
  expect(reported).toEqual(["f1: its log is damaged"]);
  expect(store.inboxAnswer("w1")).toEqual({ taken: true, reason: "its log is damaged" });
});

test("the owner listens on after a look into the inbox that failed", async () => {
  const reported: string[] = [];
  const runtime = await own(project({ f1: { steps: [idle] } }), { onTrouble: (_, message) => reported.push(message) });
  await runtime.run("f1");
  const empty = vi.spyOn(runtime.inbox, "empty").mockRejectedValueOnce(new Error("no such table"));
  const store = runtime.store;
  store.post({ id: "w1", loop: "f1~1", body: word("w1", "resume") });
  await vi.waitUntil(() => reported.includes("no such table"));
  store.post({ id: "w2", loop: "f1~1", body: word("w2", "stop") });
  await vi.waitUntil(() => store.loop("f1~1")?.stage === "ended");
  expect(empty.mock.calls.length).toBeGreaterThan(1);
});
