import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Candidate, nextToStart } from "./schedule.ts";

const item = (id: string, over: Partial<Candidate> = {}): Candidate => ({
  id,
  dependsOn: [],
  priority: 2,
  state: "waiting",
  ...over,
});

describe("what starts next", () => {
  test.for([
    { what: "as many as the limit", items: [item("a"), item("b"), item("c"), item("d")], limit: 3, start: "a b c" },
    {
      what: "only what is free of the limit",
      items: [item("a", { state: "running" }), item("b"), item("c")],
      limit: 2,
      start: "b",
    },
    { what: "lower priority numbers first", items: [item("a"), item("b", { priority: 1 })], limit: 1, start: "b" },
    {
      what: "not before its dependency is done",
      items: [item("a"), item("b", { dependsOn: ["a"] })],
      limit: 3,
      start: "a",
    },
    {
      what: "once its dependency is done",
      items: [item("a", { state: "done" }), item("b", { dependsOn: ["a"] })],
      limit: 3,
      start: "b",
    },
    {
      what: "nothing behind a stuck one",
      items: [item("a", { state: "stuck" }), item("b", { dependsOn: ["a"] })],
      limit: 3,
      start: "",
    },
  ])("$what", ({ items, limit, start }) => {
    expect(nextToStart(items, limit).start.join(" ")).toBe(start);
  });

  test("what cannot start says why", () => {
    const { blocked } = nextToStart([item("b", { dependsOn: ["gone"] })], 3);
    expect(blocked).toEqual([{ id: "b", because: "it depends on gone, which does not exist" }]);
  });

  test("never more than the limit, never before a dependency, and everything in the end (property)", () => {
    const acyclic = fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.array(fc.nat(9))), { maxLength: 10 });
    fc.assert(
      fc.property(acyclic, fc.integer({ min: 1, max: 4 }), (raw, limit) => {
        let items = raw.map(([priority, deps], n) =>
          item(`i${n}`, { priority, dependsOn: deps.filter((d) => d < n).map((d) => `i${d}`) }),
        );
        for (let guard = 0; items.some((one) => one.state !== "done"); guard++) {
          expect(guard).toBeLessThan(50);
          const { start } = nextToStart(items, limit);
          items = items.map((one) => (start.includes(one.id) ? { ...one, state: "running" } : one));
          const running = items.filter((one) => one.state === "running");
          expect(running.length).toBeLessThanOrEqual(limit);
          for (const one of running) {
            for (const id of one.dependsOn) expect(items.find((other) => other.id === id)?.state).toBe("done");
          }
          const [first] = running;
          items = items.map((one) => (one === first ? { ...one, state: "done" } : one));
        }
      }),
    );
  });
});
