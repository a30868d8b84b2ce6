import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Follower } from "../history/follow.ts";
import type { LoopNotification } from "../history/notification.ts";
import { runItems } from "./auto-mode.ts";
import { approve, hang, idle, implement, otherProcess, own, project, reject } from "./testing/project.ts";

const signal = () => new AbortController().signal;
const pass = { steps: [implement, approve] };

describe("running features", () => {
  test("never runs more at once than the limit, and each exactly once", async () => {
    const ids = ["a", "b", "c", "d", "e"];
    const repo = project(Object.fromEntries(ids.map((id) => [id, pass])));
    const open = new Set<string>();
    let most = 0;
    const runtime = await own(repo, {
      onEvent: ({ item, state }) => {
        if (state.stage === "ended") open.delete(item);
        else open.add(item);
        most = Math.max(most, open.size);
      },
    });
    const { settled, broken } = await runItems(runtime, { limit: 2, signal: signal() });
    expect([[...settled.keys()].sort(), broken.size, most]).toEqual([ids, 0, 2]);
    expect(
      runtime.store
        .loops()
        .map(({ loop }) => loop)
        .sort(),
    ).toEqual(ids.map((id) => `${id}~1`));
  });

  test("goes on with interrupted loops first, whatever was named", async () => {
    const repo = project({ a: pass, b: { steps: [hang] } });
    const started = Promise.withResolvers<void>();
    const first = await own(repo, { onEvent: ({ event }) => event.type === "intended" && started.resolve() });
    const run = first.run("b").catch(() => null);
    await started.promise;
    await Promise.all([first.close(), run]);
    repo.write({ ".automaker/b.script": JSON.stringify(pass) });
    const order: string[] = [];
    const second = await own(repo, { onEvent: ({ item }) => order.at(-1) !== item && order.push(item) });
    const { settled } = await runItems(second, { only: ["a"], limit: 1, signal: signal() });
    expect(order).toEqual(["b", "a"]);
    expect([...settled.keys()]).toEqual(["b", "a"]);
  });

  test("what ends while the next ones are looked for is not overlooked", async () => {
    const longer = { steps: [implement, reject, { ...implement, role: "fixer", edits: [] }] };
    const repo = project({ a: longer, b: { ...pass, dependencies: ["c"] }, c: pass });
    const runtime = await own(repo);
    const runs: Promise<unknown>[] = [];
    const run = runtime.run.bind(runtime);
    runtime.run = (key) => {
      const begun = run(key);
      runs.push(begun);
      return begun;
    };
    const { feature } = runtime.kinds;
    const list = feature.entries.bind(feature);
    const seen: Awaited<ReturnType<typeof list>>[] = [];
    feature.entries = async (named, reach) => {
      seen.push(await list(named, reach));
      // The third look is the first after an end: it is slow, and what it saw is old when it comes back.
      if (seen.length === 3) await Promise.all(runs).then(() => new Promise(setImmediate));
      return seen[seen.length === 3 ? 1 : seen.length - 1] ?? [];
    };
    const { settled, blocked } = await runItems(runtime, { limit: 2, signal: signal() });
    expect([[...settled.keys()].sort(), blocked]).toEqual([["a", "b", "c"], []]);
  });

  test("a loop that a word sends on while the next ones are looked for goes on in the same run", async () => {
    const repo = project({ a: { steps: [idle, implement, approve] } });
    const runtime = await own(repo);
    const { feature } = runtime.kinds;
    const list = feature.entries.bind(feature);
    let said = false;
    feature.entries = async (named, reach) => {
      const before = await list(named, reach);
      const rests = runtime.store.loops({ open: true }).find(({ stage }) => stage === "waiting-for-human");
      if (rests === undefined || said) return before;
      said = true;
      const word = { type: "signalled", at: 0, by: "Robin", signal: "retry" } as const;
      runtime.store.post({ id: randomUUID(), loop: rests.loop, body: { kind: "event", event: word } });
      await runtime.inbox.empty();
      return before;
    };
    const { settled } = await runItems(runtime, { limit: 2, signal: signal() });
    expect(said).toBe(true);
    expect(settled.get("a")).toMatchObject({ stage: "ended" });
  });

  test("a feature that another process asks for joins the run, and does not count as its own", async () => {
    const repo = project({ a: { steps: [hang] }, b: pass });
    const store = otherProcess(repo);
    const runtime = await own(repo, {
      onEvent: ({ item, event, state }) => {
        if (item === "a" && event.type === "intended") {
          store.post({ id: "wish", loop: null, body: { kind: "start", item: "b", by: "ada" } });
        }
        if (item === "b" && state.stage === "ended") {
          const word = { type: "signalled", id: randomUUID(), at: 1, signal: "stop", by: "ada" };
          store.post({ id: word.id, loop: "a~1", body: { kind: "event", event: word } });
        }
      },
    });
    const result = await runItems(runtime, { only: ["a"], limit: 3, signal: signal() });
    expect([...result.settled].map(([id, state]) => `${id} ${state.stage}`).sort()).toEqual(["a ended", "b ended"]);
    expect([...result.forOthers]).toEqual(["b"]);
    expect(store.takeInbox()).toEqual([]);
  });

  test("messages that make no sense are ended and disturb nobody", async () => {
    const repo = project({ a: pass });
    const runtime = await own(repo);
    const store = otherProcess(repo);
    store.post({ id: "m1", loop: null, body: { kind: "nonsense" } });
    store.post({ id: "m2", loop: "no-such-loop", body: { kind: "event", event: {} } });
    store.post({ id: "m3", loop: null, body: null });
    await runItems(runtime, { limit: 1, signal: signal() });
    expect(store.takeInbox()).toEqual([]);
  });

  test("a branch with somebody's own commits is refused and left as it is", async () => {
    const repo = project({ a: { ...pass, branchName: "mine" } });
    repo.git("switch", "--quiet", "--create", "mine");
    const tip = repo.commit({ "mine.txt": "mine\n" });
    repo.git("switch", "--quiet", "main");
    const runtime = await own(repo);
    const { broken } = await runItems(runtime, { limit: 1, signal: signal() });
    expect(broken.get("a")?.message).toContain("the branch mine has commits that a new loop would drop");
    expect(repo.git("rev-parse", "mine")).toBe(tip);
    expect(runtime.store.loops()).toEqual([]);
  });

  test("a worktree is made ready once, as the settings say; where that fails, no loop begins", async () => {
    const repo = project({ a: pass, b: pass });
    const settings = JSON.parse(readFileSync(join(repo.dir, ".automaker/settings.json"), "utf8"));
    const ready = (setup: string[]) => {
      repo.write({
        ".env": "KEY=1\n",
        ".automaker/settings.json": JSON.stringify({ ...settings, worktree: { setup, copy: [".env"] } }),
      });
    };
    ready(["touch installed"]);
    const runtime = await own(repo);
    const first = await runItems(runtime, { only: ["a"], limit: 1, signal: signal() });
    expect(first.settled.get("a")?.stage).toBe("ended");
    expect(["installed", ".env"].map((name) => existsSync(join(`${repo.dir}.anneal`, "a", name)))).toEqual([
      true,
      true,
    ]);
    expect(repo.git("ls-tree", "--name-only", "feature/a").split("\n")).toEqual([".gitignore", "README.md", "auth.js"]);
    ready(["false"]);
    const second = await runItems(runtime, { only: ["b"], limit: 1, signal: signal() });
    expect(second.broken.get("b")?.message).toMatch(/the set-up of the workspace failed at false \(1\)/);
    expect(runtime.store.loops().map(({ item }) => item)).toEqual(["a"]);
  });

  test("features that wait for each other are reported", async () => {
    const repo = project({ a: { ...pass, dependencies: ["b"] }, b: { ...pass, dependencies: ["a"] } });
    const { blocked } = await runItems(await own(repo), { limit: 1, signal: signal() });
    expect(blocked.map(({ because }) => because)).toEqual(Array(2).fill("they depend on each other: a → b → a"));
  });

  test("an unknown feature is a mistake, reported before anything starts", async () => {
    const runtime = await own(project({ a: pass }));
    await expect(runItems(runtime, { only: ["a", "x"], limit: 1, signal: signal() })).rejects.toThrow("no feature x");
    expect(runtime.store.loops()).toEqual([]);
  });

  test("an abort stops agents and records that", async () => {
    const repo = project({ a: { steps: [hang] } });
    const stop = new AbortController();
    const runtime = await own(repo, { onEvent: ({ event }) => event.type === "intended" && stop.abort() });
    const { settled, broken } = await runItems(runtime, { limit: 1, signal: stop.signal });
    expect([settled.size, broken.size]).toEqual([0, 0]);
    expect([...runtime.store.events("a~1")].at(-1)?.event.type).toBe("abandoned");
  });
});

test("a follower of the log gets exactly what the owner gets", async () => {
  const fix = { role: "fixer", answer: "Fixed.", edits: [{ path: "auth.js", content: "ok = 8;\n" }] };
  const repo = project({ a: { steps: [implement, reject, fix, approve] }, b: { steps: [idle] } });
  const reported: LoopNotification[] = [];
  const runtime = await own(repo, { onEvent: (one) => reported.push(one) });
  await runItems(runtime, { limit: 2, signal: signal() });
  const store = otherProcess(repo);
  expect([...new Follower(store, 0).news()]).toEqual(reported);
  const middle = reported[9]?.seq ?? 0;
  expect([...new Follower(store, middle).news()]).toEqual(reported.filter(({ seq }) => seq > middle));
});
