import { systemClock } from "@anneal/system/clock";
import { describe, expect, test } from "vitest";
import type { TestRepo } from "../../../git/src/testing/make-repo.ts";
import { currentLoop, historyOf } from "../history/loop-history.ts";
import { becomeOwner } from "../log/index.ts";
import { approve, hang, idle, implement, otherProcess, own, project } from "../project/testing/project.ts";
import { sendSignal } from "./send-signal.ts";

/** A project in which f1 waits for a person. */
async function waiting(): Promise<TestRepo> {
  const repo = project({ f1: { steps: [idle, implement, approve] } });
  const runtime = await own(repo);
  expect(await runtime.run("f1")).toMatchObject({ stage: "waiting-for-human", reason: "no-change" });
  await runtime.close();
  return repo;
}

function talkIn(repo: TestRepo) {
  const store = otherProcess(repo);
  const row = currentLoop(store, "f1");
  if (row === null) throw new Error("f1 has no loop");
  return { root: repo.dir, store, row, by: "ada", clock: systemClock };
}

describe("a signal to a loop that nobody runs", () => {
  test("is taken at once, by the one who says it, and the project is free again", async () => {
    const talk = talkIn(await waiting());
    const answer = await sendSignal(talk, { signal: "retry", note: "Look again." });
    expect(answer).toMatchObject({
      result: "taken",
      by: "us",
      state: { stage: "implementing", notes: ["Look again."] },
    });
    expect(talk.store.takeInbox()).toEqual([]);
    const owner = becomeOwner(talk.store);
    expect(owner).not.toBeNull();
    owner?.release();
  });

  test("is refused with the reason where it is not legal, and nothing is written", async () => {
    const talk = talkIn(await waiting());
    const before = talk.store.lastSeq();
    expect(await sendSignal(talk, { signal: "approve" })).toEqual({
      result: "refused",
      reason: "approve is not possible while waiting (no-change); possible: retry, stop",
    });
    expect([talk.store.lastSeq(), talk.store.takeInbox()]).toEqual([before, []]);
  });

  test("about a finding that is not there is refused", async () => {
    const talk = talkIn(await waiting());
    const said = { fingerprint: "f00", disposition: "dismissed", reason: "Wrong." } as const;
    expect(await sendSignal(talk, said)).toEqual({
      result: "refused",
      reason: "this loop has no finding f00; list its findings with anneal show",
    });
  });

  test("after the end is refused", async () => {
    const talk = talkIn(await waiting());
    expect(await sendSignal(talk, { signal: "stop" })).toMatchObject({ result: "taken", state: { stage: "ended" } });
    expect(await sendSignal(talk, { signal: "retry" })).toEqual({ result: "refused", reason: "the loop has ended" });
  });
});

describe("a signal to a loop with an owner", () => {
  test("that waits is taken by the owner, which then has work to do", async () => {
    const repo = await waiting();
    const owner = await own(repo);
    const talk = talkIn(repo);
    expect(await sendSignal(talk, { signal: "retry" })).toMatchObject({ result: "taken", by: "owner" });
    expect(owner.interrupted()).toEqual(["f1"]);
  });

  test("that is at work stops the agent", async () => {
    const repo = project({ f1: { steps: [hang] } });
    const started = Promise.withResolvers<void>();
    const owner = await own(repo, { onEvent: ({ event }) => event.type === "intended" && started.resolve() });
    const run = owner.run("f1");
    await started.promise;
    expect(await sendSignal(talkIn(repo), { signal: "pause" })).toMatchObject({ result: "taken", by: "owner" });
    expect(await run).toMatchObject({ stage: "waiting-for-human", reason: "paused" });
  });

  test("that does not listen is queued, and taken by the next owner", async () => {
    const repo = await waiting();
    const deaf = becomeOwner(repo);
    const talk = talkIn(repo);
    expect(await sendSignal({ ...talk, patienceMs: 0 }, { signal: "retry" })).toEqual({ result: "queued" });
    deaf?.release();
    const heard = Promise.withResolvers<void>();
    await own(repo, { onEvent: ({ event }) => event.type === "signalled" && heard.resolve() });
    await heard.promise;
    expect(historyOf(talk.store, talk.row).state.stage).toBe("implementing");
  });
});
