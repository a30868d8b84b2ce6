import { seenIn } from "@anneal/core";
import { expect, test } from "vitest";
import { type ForgeProject, forgeProject } from "../golden/testing/forge-project.ts";
import { fixElsewhere, implementWell } from "../golden/testing/login-feature.ts";
import * as given from "../golden/testing/login-review-loop.ts";
import { PERSON } from "../golden/testing/sample-project.ts";
import { historyOf } from "../history/loop-history.ts";
import { isEventMessage } from "../history/store-log.ts";
import { openNamedItem } from "../signals/named-item.ts";
import { sendSignal } from "../signals/send-signal.ts";

async function talkIn({ root, id, clock }: ForgeProject) {
  const talk = await openNamedItem(root, id, clock);
  const { row } = talk;
  if (row === null) throw new Error(`${id} has no loop`);
  return { ...talk, row, by: PERSON, clock, [Symbol.dispose]: () => talk[Symbol.dispose]() };
}

const seenNow = async (project: ForgeProject) => {
  using talk = await talkIn(project);
  return seenIn(talk.row.loop, historyOf(talk.store, talk.row).state);
};

/** A pull request that was ready for a person, was worked on since, and is ready again; and what there was to see before. */
async function readyAgain() {
  const project = await forgeProject([implementWell, given.passes, fixElsewhere("a"), given.passes]);
  await project.run([project.id]);
  await project.say(project.id, "ready");
  const seen = await seenNow(project);
  await project.forge.as("alice").comment(1, "Please do not accept spaces here.");
  const { settled } = await project.run([project.id]);
  expect(settled.get(project.id)).toMatchObject({ reason: "ready-for-human" });
  const now = await seenNow(project);
  expect([now.head === seen.head, now.round, now.feedback]).toEqual([false, 2, 1]);
  const short = (head: string | null) => head?.slice(0, 7);
  const reason = `approve was meant for ${short(seen.head)} after round 1, and the loop is now at ${short(now.head)} after round 2 and 1 answer to feedback: check the new state, then send approve again`;
  return { project, seen, now, reason };
}

test("a signal about what was there before is refused at once, and what is there now can be approved", async () => {
  const { project, seen, now, reason } = await readyAgain();
  using talk = await talkIn(project);
  expect(await sendSignal(talk, { signal: "approve", seen })).toEqual({ result: "refused", reason });
  expect(await sendSignal(talk, { signal: "approve", seen: { ...now, loop: "f9~1" } })).toEqual({
    result: "refused",
    reason: `approve was meant for the loop f9~1, and the current one is ${talk.row.loop}: check the new state, then send approve again`,
  });
  expect(talk.store.takeInbox()).toEqual([]);
  expect(await sendSignal(talk, { signal: "approve", seen: now })).toMatchObject({
    result: "taken",
    state: { stage: "merging" },
  });
});

test("one that was left before the loop moved on is refused by whoever takes it, and the sender gets the reason", async () => {
  const { project, seen, now, reason } = await readyAgain();
  using talk = await talkIn(project);
  const { store } = talk;
  const before = store.lastSeq();
  // As if the loop had moved between the look at it and the word in the inbox.
  const late = {
    ...store,
    post: ({ body, ...message }: Parameters<typeof store.post>[0]) =>
      store.post({ ...message, body: isEventMessage(body) ? { ...body, event: { ...body.event, seen } } : body }),
  };
  expect(await sendSignal({ ...talk, store: late }, { signal: "approve", seen: now })).toEqual({
    result: "refused",
    reason,
  });

  const word = { type: "signalled", id: "w1", at: talk.clock.now(), signal: "approve", by: PERSON, seen } as const;
  store.post({ id: "w1", loop: talk.row.loop, body: { kind: "event", event: word } });
  const { settled } = await project.run([project.id]);
  expect(settled.get(project.id)).toMatchObject({ reason: "ready-for-human" });
  expect(store.inboxAnswer("w1")).toEqual({ taken: true, reason });
  expect([store.lastSeq(), (await project.forge.get(1)).state]).toEqual([before, "open"]);
});

test("a signal that names nothing is taken as ever", async () => {
  const { project } = await readyAgain();
  using talk = await talkIn(project);
  expect(await sendSignal(talk, { signal: "approve" })).toMatchObject({ result: "taken" });
});
