import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findCycle, wavesOf } from "../items/order.ts";
import { bad, clean } from "../testing/build.ts";
import { baseOf, mergeOrder, planOf, toMerge } from "./plan.ts";
import { type EpicProgress, epicState } from "./state.ts";
import { diamond, epic, progress, TicketPlay, ticket } from "./testing/epic.ts";
import { follow, MOVES, type TicketLoop } from "./ticket-loop.ts";

const done = () => new TicketPlay().build().review(clean).loop;
const lost = () => new TicketPlay().signal("stop").loop;
const loops = (entries: Record<string, TicketLoop>) => new Map(Object.entries(entries));
const shown = (given: EpicProgress, running: string[] = []) =>
  planOf(given, new Set(running)).map(({ id, state, dependsOn }) => `${id} ${state} (${dependsOn})`);

describe("tickets for the scheduler", () => {
  test("wait for their dependencies, critical ones first", () => {
    expect(planOf(progress())).toEqual([
      { id: "config", dependsOn: [], priority: 1, state: "waiting" },
      { id: "bucket", dependsOn: ["config"], priority: 1, state: "waiting" },
      { id: "headers", dependsOn: ["config"], priority: 2, state: "waiting" },
      { id: "route", dependsOn: ["bucket", "headers"], priority: 1, state: "waiting" },
    ]);
  });

  test("are done, running, stuck or waiting", () => {
    const given = progress({ loops: loops({ config: done(), bucket: new TicketPlay().loop, headers: lost() }) });
    expect(shown(given, ["bucket"])).toEqual([
      "config done ()",
      "bucket running (config)",
      "headers stuck (config)",
      "route stuck (bucket,headers)",
    ]);
  });

  test("that were interrupted go on before anything new and wait for nobody", () => {
    const given = progress({ loops: loops({ config: done(), bucket: new TicketPlay().build().loop }) });
    expect(planOf(given)[1]).toEqual({
      id: "bucket",
      dependsOn: [],
      priority: Number.NEGATIVE_INFINITY,
      state: "waiting",
    });
  });

  test("that wait for a person are stuck, and nothing behind them starts", () => {
    const asks = new TicketPlay().implement(false).loop;
    expect(shown(progress({ loops: loops({ config: asks }) }))[0]).toBe("config stuck ()");
  });

  test("that do not need a failed critical one go on", () => {
    const given = progress({ loops: loops({ config: done(), bucket: lost() }) });
    expect(shown(given)[2]).toBe("headers waiting (config)");
  });

  test("that an older state calls completed are done", () => {
    const earlier = { config: { status: "completed" as const } };
    expect(shown(progress({ earlier }))[0]).toBe("config done ()");
  });
});

describe("the base commit of a ticket", () => {
  const base = (id: string, given: EpicProgress) => {
    const found = given.epic.tickets.find((one) => one.id === id);
    if (found === undefined) throw new Error(id);
    return baseOf(given, found);
  };

  test("is the baseline without dependencies", () => {
    expect(base("config", progress())).toEqual({ kind: "baseline", commit: "b45e11ne" });
  });

  test("is the final commit of its one dependency", () => {
    expect(base("bucket", progress({ loops: loops({ config: done() }) }))).toEqual({
      kind: "stacked",
      ticket: "config",
      commit: "c1",
    });
  });

  test("is a merge of several, in the order of their names", () => {
    const given = progress({ loops: loops({ config: done(), headers: done(), bucket: done() }) });
    expect(base("route", given)).toEqual({
      kind: "merged",
      parents: [
        { ticket: "bucket", commit: "c1" },
        { ticket: "headers", commit: "c1" },
      ],
    });
  });

  test("leaves out a dependency that another one is built on", () => {
    const chain = epic([ticket("a"), ticket("b", { dependsOn: ["a"] }), ticket("c", { dependsOn: ["a", "b"] })]);
    const given = progress({ epic: chain, loops: loops({ a: done(), b: done() }) });
    expect(base("c", given)).toEqual({ kind: "stacked", ticket: "b", commit: "c1" });
  });

  test("is taken from an older state", () => {
    const earlier = { config: { status: "completed" as const, git_info: { final_commit: "0ld" } } };
    expect(base("bucket", progress({ earlier }))).toMatchObject({ commit: "0ld" });
  });

  test.for([
    {
      what: "a dependency that is not completed",
      given: progress(),
      because: "config is not completed; its status is queued",
    },
    {
      what: "a completed one without a commit",
      given: progress({ earlier: { config: { status: "completed" } } }),
      because: "config is completed, but has no final commit",
    },
  ])("is unknown with $what", ({ given, because }) => {
    expect(base("bucket", given)).toEqual({ kind: "not-ready", because });
  });
});

describe("into the epic branch", () => {
  test("go tickets by dependency, then by id, whatever order the YAML has", () => {
    const turned = epic([
      ticket("z"),
      ticket("d", { dependsOn: ["b", "c"] }),
      ticket("c", { dependsOn: ["a"] }),
      ticket("b", { dependsOn: ["a"] }),
      ticket("a"),
    ]);
    expect(mergeOrder(turned)).toEqual(["a", "z", "b", "c", "d"]);
  });

  test("go completed tickets only", () => {
    const given = progress({ loops: loops({ config: done(), bucket: lost(), headers: done() }) });
    expect(toMerge(given).map((one) => one.ticket)).toEqual(["config", "headers"]);
  });

  test("go no commits that a review has rejected, or that nobody has reviewed yet", () => {
    const rejected = new TicketPlay().build().review(bad("critical", 1)).signal("stop").loop;
    const unseen = new TicketPlay().build().loop;
    expect([rejected, unseen].map(({ state }) => state.head)).toEqual(["c1", "c1"]);
    const given = progress({ loops: loops({ config: done(), bucket: rejected, headers: unseen }) });
    expect(toMerge(given).map((one) => one.ticket)).toEqual(["config"]);
  });

  test("goes nothing of a failed epic with rollback_on_failure", () => {
    const item = { ...diamond(), rollbackOnFailure: true };
    expect(toMerge(progress({ epic: item, loops: loops({ config: done(), bucket: lost() }) }))).toEqual([]);
    expect(toMerge(progress({ epic: item, loops: loops({ config: done() }) }))).toHaveLength(1);
  });
});

describe("order", () => {
  const graph = fc.array(fc.array(fc.nat(11), { maxLength: 4 }), { maxLength: 12 }).map((raw) =>
    raw.map((needs, n) => ({
      id: `t${n}`,
      dependsOn: needs.filter((need) => need < raw.length).map((need) => `t${need}`),
    })),
  );

  test("either all items are in waves that need only earlier ones, or there is a circle (property)", () => {
    fc.assert(
      fc.property(graph, (items) => {
        const waves = wavesOf(items);
        const circle = findCycle(items);
        expect(circle === null).toBe(waves.flat().length === items.length);
        const byId = new Map(items.map((item) => [item.id, item.dependsOn]));
        const before = new Set<string>();
        for (const wave of waves) {
          for (const id of wave) expect([...(byId.get(id) ?? [])].filter((need) => !before.has(need))).toEqual([]);
          for (const id of wave) before.add(id);
        }
        for (const [n, id] of (circle ?? []).slice(1).entries()) expect(byId.get(circle?.[n] ?? "")).toContain(id);
        if (circle !== null) expect(circle[0]).toBe(circle.at(-1));
      }),
      { numRuns: 2_000 },
    );
  });

  test("a chain of 20,000 tickets is no trouble", () => {
    const chain = Array.from({ length: 20_000 }, (_, n) => ({ id: `t${n}`, dependsOn: n === 0 ? [] : [`t${n - 1}`] }));
    expect(findCycle(chain)).toBeNull();
    expect(findCycle([...chain, { id: "x", dependsOn: ["x"] }])).toEqual(["x", "x"]);
  });
});

test("tickets of a whole epic move as seed 002 allows, however the epic goes (property)", () => {
  const choice = fc.record({ pick: fc.nat(99), outcome: fc.nat(9) });
  const seen = new Set<string>();
  fc.assert(
    fc.property(fc.array(choice, { maxLength: 60 }), (choices) => {
      const running = new Map<string, TicketPlay>();
      const given = (): EpicProgress => progress({ loops: new Map([...running].map(([id, play]) => [id, play.loop])) });
      let before = epicState(given());
      for (const { pick, outcome } of choices) {
        act(running, given(), pick, outcome);
        const after = epicState(given());
        for (const [id, { status }] of Object.entries(after.tickets)) {
          const was = before.tickets[id]?.status ?? "pending";
          if (was !== status) expect(MOVES[was], `${id}: ${was} → ${status}`).toContain(status);
          seen.add(status);
        }
        before = after;
      }
    }),
    { numRuns: 300 },
  );
  expect([...seen].sort()).toEqual(Object.keys(MOVES).sort());
});

/** Starts a ticket that may start, or takes one that has begun a step further. */
function act(running: Map<string, TicketPlay>, given: EpicProgress, pick: number, outcome: number): void {
  const plan = planOf(given);
  const isDone = (id: string) => plan.find((one) => one.id === id)?.state === "done";
  const fresh = plan.filter(
    ({ id, state, dependsOn }) => state === "waiting" && !running.has(id) && dependsOn.every(isDone),
  );
  const open = [...running.values()].filter((play) => play.state.stage !== "ended");
  const choices = [
    ...fresh.map(
      ({ id }) =>
        () =>
          void running.set(id, new TicketPlay()),
    ),
    ...open.map((play) => () => stepOf(play, outcome)),
  ];
  choices[pick % Math.max(1, choices.length)]?.();
}

function stepOf(play: TicketPlay, outcome: number): void {
  const { stage } = play.state;
  if (outcome === 9) return void play.signal("stop");
  if (stage === "waiting-for-human") return void play.signal("retry");
  const before = play.loop;
  play.begin();
  // Seen by itself: needs_revision becomes executing when the attempt is written down.
  if (before.status !== play.loop.status) return;
  if (outcome === 0) return void play.breaks();
  if (stage === "implementing") return void play.implement();
  if (stage === "validating") return void play.validate(outcome < 3 ? "failed" : "passed");
  if (stage === "committing") return void play.commit();
  if (stage === "fixing") return void play.fix();
  play.review(outcome < 6 ? bad("critical", play.log.length) : clean);
}

test("following event by event gives what the whole log gives", () => {
  const play = new TicketPlay().begin().build().review(bad("critical", 1)).begin().mend().review(clean);
  const [, ...rest] = play.events;
  expect(rest.reduce(follow, { ...new TicketPlay().loop })).toEqual(play.loop);
});
