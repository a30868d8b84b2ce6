import { expect, test } from "vitest";
import { runItems } from "./auto-mode.ts";
import { approve, implement, own, project } from "./testing/project.ts";

const signal = () => new AbortController().signal;

function settings(over: object): Record<string, string> {
  const player = "scripted:.automaker/{id}.script";
  const agents = { implementer: player, reviewer: player, fixer: player };
  return { ".automaker/settings.json": JSON.stringify({ version: 1, agents, ...over }) };
}

test("what the day allows to all loops together holds the next one back, until it allows more", async () => {
  const costly = { ...approve, usage: { outputTokens: 60 } };
  const repo = project({ a: { steps: [implement, costly] }, b: { steps: [implement, costly] } });
  repo.write(settings({ budgets: { perDay: { tokens: 60 } } }));
  const first = await own(repo);
  const { settled } = await runItems(first, { limit: 1, signal: signal() });
  expect(settled.get("a")).toMatchObject({ stage: "ended", outcome: "passed" });
  expect(settled.get("b")).toMatchObject({ stage: "waiting-for-human", reason: "capped", backTo: "implementing" });
  await first.close();
  repo.write(settings({ budgets: { perDay: { tokens: 600 } } }));
  const second = await own(repo);
  const word = { type: "signalled", id: "w", at: 1, signal: "resume", by: "ada" };
  second.store.post({ id: "w", loop: "b~1", body: { kind: "event", event: word } });
  const again = await runItems(second, { limit: 1, signal: signal() });
  expect(again.settled.get("b")).toMatchObject({ stage: "ended", outcome: "passed" });
});

test("what an agent used before it failed is used all the same", async () => {
  const dear = { role: "implementer", end: "crash", usage: { inputTokens: 500 } };
  const repo = project({ a: { steps: [dear] } });
  repo.write(settings({ budgets: { tokens: 400 } }));
  const state = await (await own(repo)).run("a");
  expect(state).toMatchObject({ stage: "waiting-for-human", reason: "capped", cycle: { tokens: 500 } });
});

test("what is under way when the time is used up is ended: an agent, and the project's checks", async () => {
  const repo = project({ a: { steps: [{ role: "implementer", end: "hang" }] }, b: { steps: [implement] } });
  repo.write(settings({ budgets: { wallMs: 1_500 }, testCommand: "sleep 1000" }));
  const { settled } = await runItems(await own(repo), { limit: 2, signal: signal() });
  const capped = { reason: "capped", detail: expect.stringContaining("of 1500 ms are used"), breaks: 0, repairs: 0 };
  expect(settled.get("a")).toMatchObject({ ...capped, backTo: "implementing" });
  expect(settled.get("b")).toMatchObject({ ...capped, backTo: "validating" });
});

test("a budget that cannot be read stops everything instead of allowing everything", async () => {
  const repo = project({ a: { steps: [implement, approve] } });
  repo.write(settings({ budgets: { perDay: { token: 5 } } }));
  await expect((await own(repo)).run("a")).rejects.toThrow(/settings\.json:\d+: budgets.*nothing runs/s);
});
