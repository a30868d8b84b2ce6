import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { featureStore } from "@anneal/adapters/features";
import { systemClock } from "@anneal/system/clock";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { TestRepo } from "../../../git/src/testing/make-repo.ts";
import { currentLoop, historyOf } from "../history/loop-history.ts";
import { statusesSinceWritten } from "../history/statuses.ts";
import type { ProjectStore } from "../history/store-log.ts";
import type { Runtime } from "../project/runtime.ts";
import { approve, hang, implement, otherProcess, own, project, reject } from "../project/testing/project.ts";
import { outsideEdits } from "./outside.ts";
import { sendSignal } from "./send-signal.ts";

const pathOf = (repo: TestRepo, id: string) => join(repo.dir, ".automaker/features", id, "feature.json");
const read = (repo: TestRepo, id: string) => JSON.parse(readFileSync(pathOf(repo, id), "utf8"));

/** As editors save: a new file in place of the old one. Undefined takes a key out. */
function edit(repo: TestRepo, id: string, change: Record<string, unknown>): void {
  writeFileSync(`${pathOf(repo, id)}~`, JSON.stringify({ ...read(repo, id), ...change }, null, 4));
  renameSync(`${pathOf(repo, id)}~`, pathOf(repo, id));
}

/** Watches a project for one test, and gives what was reported. */
async function watching(repo: TestRepo, store: ProjectStore) {
  const end = new AbortController();
  const troubles: string[] = [];
  const edits = await outsideEdits({
    root: repo.dir,
    features: featureStore(repo.dir),
    store,
    clock: systemClock,
    signal: end.signal,
    onTrouble: (item, message) => troubles.push(`${item}: ${message}`),
  });
  const close = async () => {
    end.abort();
    await edits.settled();
  };
  onTestFinished(close);
  return { edits, troubles, close };
}

const soon = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 20_000, interval: 20 });
const loopOf = (store: ProjectStore, id: string) => currentLoop(store, id) ?? expect.fail(`${id} has no loop`);
const stateOf = (store: ProjectStore, id: string) => historyOf(store, loopOf(store, id)).state;
const words = (store: ProjectStore) =>
  store.allEvents(0, 10_000).flatMap(({ event }) => (event.type === "signalled" ? [event] : []));

const passing = { steps: [implement, approve] };
const verifiedByHand = { ...passing, skipTests: true };

/** Runs features until they wait for an approval. */
async function atApproval(repo: TestRepo, runtime: Runtime, ids: string[]): Promise<void> {
  for (const id of ids) expect(await runtime.run(id)).toMatchObject({ reason: "approval" });
  for (const id of ids) expect(read(repo, id).status).toBe("waiting_approval");
}

describe("an edit of a status", () => {
  test("is a word where it is legal, is put back with a note where it is not, and is nothing where no loop is open", async () => {
    const ids = ["approved", "stopped", "again", "completed", "nonsense", "without"];
    const repo = project({
      ...Object.fromEntries(ids.map((id) => [id, verifiedByHand])),
      ended: passing,
      loopless: passing,
    });
    const runtime = await own(repo);
    await atApproval(repo, runtime, ids);
    await runtime.run("ended");
    const { store } = runtime;
    const { edits, troubles } = await watching(repo, store);

    edit(repo, "completed", { status: "completed", description: "Wants more.", mine: [1] });
    edit(repo, "nonsense", { status: "nonsense" });
    edit(repo, "without", { status: undefined });
    edit(repo, "approved", { status: "verified" });
    edit(repo, "stopped", { status: "backlog" });
    edit(repo, "again", { status: "code_review" });
    edit(repo, "ended", { status: "completed" });
    edit(repo, "loopless", { status: "verified" });

    await soon(() => expect(words(store)).toHaveLength(2));
    await soon(() => expect(troubles).toHaveLength(4));
    await edits.settled();
    expect(stateOf(store, "approved")).toMatchObject({ stage: "waiting-for-human", reason: "approval" });
    expect(stateOf(store, "stopped")).toMatchObject({ stage: "ended", detail: "stopped by an edit of feature.json" });
    expect(stateOf(store, "again")).toMatchObject({ stage: "reviewing" });
    for (const [id, status] of Object.entries({
      stopped: "backlog",
      again: "code_review",
      ended: "completed",
      loopless: "verified",
    })) {
      expect(read(repo, id), id).toMatchObject({ status });
      expect(read(repo, id), id).not.toHaveProperty("error");
    }
    expect(read(repo, "completed")).toMatchObject({
      status: "waiting_approval",
      description: "Wants more.",
      mine: [1],
      error: expect.stringMatching(/^Not moved to completed: it waits \(approval\), and .*; possible now: backlog, /),
    });
    expect(read(repo, "approved")).toMatchObject({
      status: "waiting_approval",
      error: expect.stringMatching(
        /^Not moved to verified: this change needs a person, and .* use the board or anneal approve approved$/,
      ),
    });
    expect(read(repo, "nonsense")).toMatchObject({
      status: "waiting_approval",
      error: expect.stringMatching(/^Not moved to a status that does not exist: /),
    });
    expect(read(repo, "without")).toMatchObject({ status: "waiting_approval", error: expect.any(String) });
    expect(troubles.map((line) => line.split(":")[0]).sort()).toEqual(["approved", "completed", "nonsense", "without"]);

    edit(repo, "completed", { status: "backlog" });
    await soon(() => expect(read(repo, "completed")).not.toHaveProperty("error"));
    expect(read(repo, "completed").status).toBe("backlog");
  });

  test("stops an agent at work", async () => {
    const repo = project({ busy: { steps: [hang] } });
    const runtime = await own(repo);
    await watching(repo, runtime.store);
    const busy = runtime.run("busy");
    await soon(() => expect(read(repo, "busy").status).toBe("in_progress"));
    edit(repo, "busy", { status: "backlog" });
    expect(await busy).toMatchObject({ stage: "ended", outcome: "stopped" });
    expect(read(repo, "busy")).toMatchObject({ status: "backlog" });
    expect(words(runtime.store)).toMatchObject([{ signal: "stop", by: "an edit of feature.json" }]);
  });

  test("is none where somebody saves other things with the status that was just there: the loop is not disturbed", async () => {
    const mend = { ...implement, role: "fixer", edits: [{ path: "auth.js", content: "ok = long(password);\n" }] };
    const repo = project({ calm: { steps: [implement, reject, mend, approve] } });
    let saves = 0;
    const save = () => {
      saves += 1;
      edit(repo, "calm", { description: `Wants it ${saves} times.` });
    };
    // Reported right after the log and before the files: what is saved then holds a status that is on its way out.
    const runtime = await own(repo, { onEvent: save });
    const { edits, troubles } = await watching(repo, runtime.store);
    expect(await runtime.run("calm")).toMatchObject({ stage: "ended", outcome: "passed" });
    await edits.settled();
    expect([troubles, words(runtime.store)]).toEqual([[], []]);
    expect(read(repo, "calm")).toMatchObject({ status: "verified", description: `Wants it ${saves} times.` });
    expect(saves).toBeGreaterThan(8);
  });

  test("that the loop could not take any more is put back, and says why", async () => {
    const repo = project({ f1: verifiedByHand });
    const runtime = await own(repo);
    await atApproval(repo, runtime, ["f1"]);
    await runtime.close();
    const store = otherProcess(repo);
    const { troubles } = await watching(repo, store);
    edit(repo, "f1", { status: "backlog" });
    await soon(() => expect(store.takeInbox()).toHaveLength(1));
    store.markTaken([store.takeInbox()[0]?.id ?? ""], store.lastSeq(), "the loop has gone on");
    await soon(() =>
      expect(troubles).toEqual(["f1: status restored after an edit. Not moved to backlog: the loop has gone on"]),
    );
    expect(read(repo, "f1")).toMatchObject({
      status: "waiting_approval",
      error: "Not moved to backlog: the loop has gone on",
    });
  });

  test("that our own file was just written over is noticed all the same", async () => {
    const repo = project({ f1: verifiedByHand });
    const runtime = await own(repo);
    await atApproval(repo, runtime, ["f1"]);
    const { edits } = await watching(repo, runtime.store);
    edit(repo, "f1", { status: "backlog" });
    await runtime.features.update("f1", (feature) => ({ ...feature, status: "waiting_approval" }));
    await edits.settled();
    await soon(() => expect(stateOf(runtime.store, "f1")).toMatchObject({ stage: "ended", outcome: "stopped" }));
  });
});

describe("edits that were made while nobody owned the project", () => {
  test("are read at start, once, before files are caught up", async () => {
    const repo = project({
      stopped: verifiedByHand,
      refused: verifiedByHand,
      gone: verifiedByHand,
      same: verifiedByHand,
    });
    const first = await own(repo);
    await atApproval(repo, first, ["stopped", "refused", "gone", "same"]);
    await first.close();
    edit(repo, "stopped", { status: "backlog" });
    edit(repo, "refused", { status: "completed" });
    rmSync(pathOf(repo, "gone"));

    // The first owner dies after it has left the word; the second sees the same edit.
    const store = otherProcess(repo);
    for (const _ of [1, 2]) {
      const { edits, close } = await watching(repo, store);
      await edits.settled();
      await close();
    }
    expect(store.takeInbox().map(({ loop }) => loop)).toEqual(["stopped~1"]);
    expect(read(repo, "refused")).toMatchObject({ status: "waiting_approval", error: expect.any(String) });
    expect(read(repo, "same")).not.toHaveProperty("error");

    const second = await own(repo);
    await soon(() => expect(stateOf(second.store, "stopped")).toMatchObject({ stage: "ended", outcome: "stopped" }));
    expect(stateOf(second.store, "gone")).toMatchObject({ stage: "waiting-for-human", reason: "approval" });
    expect(words(second.store)).toHaveLength(1);
  });
});

describe("a feature.json that is gone", () => {
  test("pauses the loop; when it is back it holds the log's status, and the loop can be resumed", async () => {
    const repo = project({ f1: { steps: [hang] } });
    const runtime = await own(repo);
    const { store } = runtime;
    const { edits, troubles } = await watching(repo, store);
    const old = readFileSync(pathOf(repo, "f1"), "utf8");
    const run = runtime.run("f1");
    await soon(() => expect(read(repo, "f1").status).toBe("in_progress"));
    rmSync(dirname(pathOf(repo, "f1")), { recursive: true });
    expect(await run).toMatchObject({
      stage: "waiting-for-human",
      reason: "paused",
      detail: "paused by Anneal, since feature.json is gone",
    });
    const reported = expect.stringMatching(/^f1: .*features\/f1\/feature\.json is gone, so its loop waits/);
    await soon(() => expect(troubles).toContainEqual(reported));
    expect(repo.git("branch", "--list", "feature/f1")).toContain("feature/f1");
    expect(existsSync(join(`${repo.dir}.anneal`, "f1/.git"))).toBe(true);

    writeFileSync(join(repo.dir, ".automaker/f1.script"), JSON.stringify({ name: "scripted", ...passing }));
    mkdirSync(dirname(pathOf(repo, "f1")));
    writeFileSync(pathOf(repo, "f1"), old);
    await soon(() => expect(read(repo, "f1").status).toBe("in_progress"));
    await edits.settled();
    expect(words(store)).toMatchObject([{ signal: "pause" }]);
    const talk = { root: repo.dir, store: otherProcess(repo), row: loopOf(store, "f1"), by: "ada", clock: systemClock };
    expect(await sendSignal(talk, { signal: "resume" })).toMatchObject({ result: "taken", by: "owner" });
    expect(await runtime.run("f1")).toMatchObject({ stage: "ended", outcome: "passed" });
    expect(read(repo, "f1").status).toBe("verified");
  });

  test("does not keep a loop from being stopped, and one that waits already goes on waiting", async () => {
    const repo = project({ f1: verifiedByHand });
    const runtime = await own(repo);
    await atApproval(repo, runtime, ["f1"]);
    const { troubles } = await watching(repo, runtime.store);
    rmSync(pathOf(repo, "f1"));
    await soon(() => expect(troubles).toHaveLength(1));
    expect(stateOf(runtime.store, "f1")).toMatchObject({ reason: "approval" });
    const row = loopOf(runtime.store, "f1");
    const talk = { root: repo.dir, store: otherProcess(repo), row, by: "ada", clock: systemClock };
    expect(await sendSignal(talk, { signal: "stop" })).toMatchObject({
      result: "taken",
      state: { outcome: "stopped" },
    });
  });
});

test("a damaged feature.json is left byte for byte and reported once; mended, it holds the log's status again", async () => {
  const repo = project({ f1: verifiedByHand });
  const runtime = await own(repo);
  await atApproval(repo, runtime, ["f1"]);
  const { edits, troubles } = await watching(repo, runtime.store);
  const whole = readFileSync(pathOf(repo, "f1"), "utf8");
  truncateSync(pathOf(repo, "f1"), 40);
  const half = readFileSync(pathOf(repo, "f1"), "utf8");
  await soon(() => expect(troubles).toEqual([expect.stringMatching(/^f1: .*features\/f1\/feature\.json:\d+:\d+: /)]));
  expect(readFileSync(pathOf(repo, "f1"), "utf8")).toBe(half);
  writeFileSync(pathOf(repo, "f1"), whole.replace("waiting_approval", "backlog"));
  await soon(() => expect(read(repo, "f1").status).toBe("waiting_approval"));
  await edits.settled();
  expect([troubles.length, words(runtime.store)]).toEqual([1, []]);
});

test("the statuses that our own files can hold: the one last written, and all that the log has had since", async () => {
  const repo = project({ f1: verifiedByHand });
  const runtime = await own(repo);
  await atApproval(repo, runtime, ["f1"]);
  const history = historyOf(runtime.store, loopOf(runtime.store, "f1"));
  const seqs = history.events.map(({ seq }) => seq);
  const at = (seq: number) => [...(statusesSinceWritten(history, seq) ?? ["none"])];
  expect(at(0)).toEqual(["none"]);
  expect(at(seqs[0] ?? 0)).toEqual(["in_progress", "code_review", "waiting_approval"]);
  expect(at((seqs.at(-1) ?? 0) - 1)).toEqual(["code_review", "waiting_approval"]);
  expect(at(seqs.at(-1) ?? 0)).toEqual(["waiting_approval"]);
});
