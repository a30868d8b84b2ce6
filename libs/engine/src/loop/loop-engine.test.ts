import { setTimeout as delay } from "node:timers/promises";
import type { Clock } from "@anneal/adapters";
import { POLICIES } from "@anneal/core";
import type { LoopEvent, LoopState } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { bad, clean, Play } from "../../../core/src/testing/build.ts";
import { AgentFailed } from "../errors/errors.ts";
import { drive, type StageWork } from "./driver.ts";
import type { ExternalEvent } from "./engine.ts";
import { LoopEngine, type LoopLog, Parked } from "./loop-engine.ts";

type Of<T extends LoopEvent["type"]> = Extract<LoopEvent, { type: T }>;

const started = new Play(POLICIES.gate).log[0] as Of<"loop-started">;
const clock: Clock = { now: () => 1_000, sleep: async () => {} };
const word = (signal: Of<"signalled">["signal"], id: string): ExternalEvent => ({
  type: "signalled",
  at: 5,
  id,
  signal,
  by: "ada",
});

function logOf(words: { message: string; word: ExternalEvent }[] = []) {
  const entries: { event: LoopEvent; stage: LoopState["stage"]; taking: string | undefined }[] = [];
  const refused: string[] = [];
  const log: LoopLog = {
    append: (event, state, taking) => {
      entries.push({ event, stage: state.stage, taking });
      const at = words.findIndex(({ message }) => message === taking);
      if (at >= 0) words.splice(at, 1);
    },
    words: () => [...words],
    refuse: (message, reason) => {
      refused.push(reason);
      words.splice(
        words.findIndex((one) => one.message === message),
        1,
      );
    },
  };
  return { log, entries, refused, words };
}

/** Work that answers from a play's own events, stage by stage. */
function working(answers: Partial<StageWork>): StageWork {
  const none = async () => {
    throw new Error("nobody works here");
  };
  const stages = ["implementing", "validating", "committing", "reviewing", "fixing", "opening-pr", "merging"];
  return { ...Object.fromEntries(stages.map((stage) => [stage, none])), ...answers } as StageWork;
}
const by = { agent: "scripted", model: null, provider: null };
const implemented: LoopEvent = { type: "implemented", at: 1, usage: {}, changed: true, tree: "t", output: null, by };
const good: Partial<StageWork> = {
  implementing: async () => implemented,
  validating: async () => ({ type: "validated", at: 1, result: "passed", findings: [] }),
  committing: async () => ({ type: "committed", at: 1, head: "c1", regions: [] }),
};
const reviewed = (report: Of<"reviewed">["report"], head: string): LoopEvent => ({
  type: "reviewed",
  at: 1,
  usage: {},
  head,
  report,
  requirementsJudged: true,
  standing: [],
  regions: [],
  renames: {},
  by,
  diff: null,
  coverage: { reviewed: ["auth.js"], skipped: [] },
});

function engineOn(log: LoopLog, shutdown = new AbortController().signal) {
  return new LoopEngine({ policy: POLICIES.gate, log, clock, shutdown });
}

describe("the engine", () => {
  test("remembers each attempt before it acts, and what came of it", async () => {
    const { log, entries } = logOf();
    const engine = engineOn(log);
    const state = await drive(
      engine,
      engine.begin(started),
      working({ ...good, reviewing: async () => reviewed(clean, "c1") }),
    );
    expect(state).toMatchObject({ stage: "ended", outcome: "passed" });
    expect(entries.map(({ event, stage }) => `${event.type} → ${stage}`)).toEqual([
      "loop-started → implementing",
      "intended → implementing",
      "implemented → validating",
      "intended → validating",
      "validated → committing",
      "intended → committing",
      "committed → reviewing",
      "intended → reviewing",
      "reviewed → ended",
    ]);
  });

  test("what a stage throws is a break, and what may pass is retried with the next turn", async () => {
    const { log, entries } = logOf();
    const engine = engineOn(log);
    const turns: number[] = [];
    const reviewing: StageWork["reviewing"] = async (_state, _signal, turn) => {
      turns.push(turn);
      if (turn < 3) throw Object.assign(new Error("connection refused"), { code: "ECONNREFUSED" });
      return reviewed(clean, "c1");
    };
    await drive(engine, engine.begin(started), working({ ...good, reviewing }));
    expect(turns).toEqual([1, 2, 3]);
    expect(entries.filter(({ event }) => event.type === "broke")).toHaveLength(2);
  });

  test("a resumed loop repeats the interrupted run with its own turn and a higher attempt", async () => {
    const first = logOf();
    const cut: LoopEvent[] = [implemented, { type: "intended", at: 2, stage: "validating", attempt: 1 }];
    const play = new Play(POLICIES.gate);
    const stored = cut.map((event) => ({ event, stage: play.feed(event).state.stage }));
    const engine = engineOn(first.log);
    const seen: number[] = [];
    const validating: StageWork["validating"] = async (_state, _signal, turn) => {
      seen.push(turn);
      return { type: "validated", at: 1, result: "passed", findings: [] };
    };
    const state = engine.resume(started, stored);
    await drive(engine, state, working({ ...good, validating, reviewing: async () => reviewed(clean, "c1") }));
    expect(seen).toEqual([1]);
    expect(first.entries[0]?.event).toMatchObject({ type: "intended", stage: "validating", attempt: 2 });
  });

  test("a log that today's rules contradict stops the loop for a person, once and for good", async () => {
    const { log, entries, refused, words } = logOf();
    const past = [{ event: implemented, stage: "reviewing" as const }];
    const waits = { stage: "waiting-for-human", reason: "replay-differs", options: ["stop"] };
    const state = engineOn(log).resume(started, past);
    const detail = "the log has reviewing after implemented, but the current rules lead to validating";
    expect(state).toMatchObject({ ...waits, detail });
    expect(entries).toMatchObject([{ event: { type: "replay-differed", detail }, stage: "waiting-for-human" }]);

    const again = engineOn(log);
    const known = [...past, ...entries];
    expect(again.resume(started, known)).toEqual(state);
    expect(entries).toHaveLength(1);
    words.push({ message: "m1", word: word("resume", "m1") });
    const ruling = { type: "finding-disposed", at: 5, id: "m2", fingerprint: "f", by: "ada", reason: "no" } as const;
    words.push({ message: "m2", word: { ...ruling, disposition: "dismissed" } });
    words.push({ message: "m3", word: word("stop", "m3") });
    expect(await again.signal(state)).toMatchObject({ stage: "ended", outcome: "stopped" });
    expect(refused).toEqual([
      "resume is not possible while waiting (replay-differs); possible: stop",
      "the log of this loop does not fit the current rules; possible: stop",
    ]);
    expect(engineOn(log).resume(started, [...past, ...entries])).toMatchObject({ stage: "ended", outcome: "stopped" });
  });

  test("a log whose loop has ended by today's rules waits for a person, and never passes", () => {
    const { log } = logOf();
    const passed = new Play(POLICIES.gate).build().review(clean);
    expect(passed.state).toMatchObject({ stage: "ended", outcome: "passed" });
    const [first, ...rest] = passed.log as [Of<"loop-started">, ...LoopEvent[]];
    const past = rest.map((event) => ({ event, stage: "fixing" as const }));
    expect(engineOn(log).resume(first, past)).toMatchObject({ stage: "waiting-for-human", reason: "replay-differs" });
  });
});

describe("the loop's cap on time", () => {
  const policy = { ...POLICIES.gate, caps: { wallMs: 500 } };
  /** On a clock whose waits are over in a moment, unless what they are about is over before. */
  function scene() {
    const now = { ms: started.at };
    const sleep: Clock["sleep"] = async (ms, signal) => {
      await delay(10, undefined, { signal });
      now.ms += ms;
    };
    const { log, entries } = logOf();
    const shutdown = new AbortController().signal;
    const engine = new LoopEngine({ policy, log, clock: { now: () => now.ms, sleep }, shutdown });
    return { now, entries, engine, state: engine.begin({ ...started, policy }) };
  }
  const untilCutOff = (end: (resolve: (event: LoopEvent) => void, reject: (error: Error) => void) => void) =>
    ((_state: LoopState, signal: AbortSignal) =>
      new Promise<LoopEvent>((resolve, reject) => {
        signal.addEventListener("abort", () => end(resolve, reject));
      })) satisfies StageWork["fixing"];
  const usage = { inputTokens: 7 };

  test.for<{ what: string; stage: LoopState["stage"]; answers: Partial<StageWork>; used: number }>([
    {
      what: "an agent",
      stage: "implementing",
      answers: {
        implementing: untilCutOff((_, reject) => reject(new AgentFailed("aborted", { usage, lasting: true }))),
      },
      used: 7,
    },
    {
      what: "a check",
      stage: "validating",
      answers: { ...good, validating: untilCutOff((_, reject) => reject(new Error("aborted"))) },
      used: 0,
    },
    {
      what: "a review that then says nothing",
      stage: "reviewing",
      answers: {
        ...good,
        reviewing: untilCutOff((resolve) =>
          resolve({ ...reviewed({ status: "inconclusive", reason: "cut off" }, "c1"), usage } as LoopEvent),
        ),
      },
      used: 7,
    },
  ])("ends $what that is under way, and asks a person", async ({ stage, answers, used }) => {
    const { engine, entries, state } = scene();
    const rests = await drive(engine, state, working(answers));
    expect(rests).toMatchObject({ stage: "waiting-for-human", reason: "capped", backTo: stage, breaks: 0 });
    expect(rests).toMatchObject({ detail: expect.stringContaining("of 500 ms are used"), cycle: { tokens: used } });
    expect(entries.at(-1)?.event).toMatchObject({ type: "broke", stage, outOfTime: true });
  });

  test("lets nothing start once it is reached, and what is done in time is done", async () => {
    const { engine, entries, now, state } = scene();
    const implementing: StageWork["implementing"] = async () => {
      now.ms += 499;
      return { ...implemented, at: now.ms };
    };
    const validating = async () => {
      throw new Error("nobody should check this");
    };
    const built = await engine.step(state as never, (signal, turn) => implementing(state as never, signal, turn));
    expect(built).toMatchObject({ stage: "validating" });
    now.ms += 1;
    expect(await drive(engine, built, working({ validating }))).toMatchObject({
      reason: "capped",
      backTo: "validating",
    });
    expect(entries.at(-1)?.event).toMatchObject({ outOfTime: true });
  });
});

describe("people's words", () => {
  test("interrupt the work, which is given up, and are then applied", async () => {
    const { log, entries, words } = logOf();
    const engine = engineOn(log);
    const reviewing: StageWork["reviewing"] = (_state, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(new Error("aborted")));
        words.push({ message: "m1", word: word("pause", "s1") });
        engine.interrupt();
      });
    const state = await drive(engine, engine.begin(started), working({ ...good, reviewing }));
    expect(state).toMatchObject({ stage: "waiting-for-human", reason: "paused" });
    expect(entries.slice(-2).map(({ event, taking }) => [event.type, taking])).toEqual([
      ["abandoned", undefined],
      ["signalled", "m1"],
    ]);
  });

  test("that are not legal now are refused with the reason, and change nothing", async () => {
    const { log, refused } = logOf([{ message: "m1", word: word("skip", "s1") }]);
    const engine = engineOn(log);
    await drive(engine, engine.begin(started), working({ ...good, reviewing: async () => reviewed(clean, "c1") }));
    expect(refused).toEqual(["review is required under gate; it cannot be skipped"]);
  });

  test("wake a loop that waits", async () => {
    const { log } = logOf([{ message: "m1", word: word("stop", "s1") }]);
    const engine = engineOn(log);
    const play = new Play(POLICIES.gate).build().review(bad("high", 1)).fix(false);
    expect(play.where).toBe("waiting: stalled");
    expect(await drive(engine, play.state, working({}))).toMatchObject({ stage: "ended", outcome: "stopped" });
  });
});

test.for([
  { work: "is cut off", ends: "throws", event: "abandoned" },
  { work: "is done all the same", ends: "returns", event: "implemented" },
])("a shutdown parks the loop; work that $work is recorded as $event", async ({ ends, event }) => {
  const { log, entries } = logOf();
  const stop = new AbortController();
  const engine = engineOn(log, stop.signal);
  const implementing: StageWork["implementing"] = async () => {
    stop.abort();
    if (ends === "throws") throw new Error("cut off");
    return implemented;
  };
  await expect(drive(engine, engine.begin(started), working({ implementing }))).rejects.toThrow(Parked);
  expect(entries.at(-1)?.event.type).toBe(event);
});
