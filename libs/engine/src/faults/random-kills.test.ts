import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { described, drawKills, type Kill, killedRun } from "./testing/kills.ts";
import { leftovers } from "./testing/leftovers.ts";
import { makeLoad } from "./testing/load.ts";
import { outcomeOf, tellings } from "./testing/outcome.ts";
import { type Line, startRun } from "./testing/process.ts";
import { seeded } from "./testing/random.ts";

const KILLS = Number(process.env.ANNEAL_KILLS ?? 20);
const SEED = Number(process.env.ANNEAL_SEED ?? 1);
const KILLS_PER_PROJECT = 10;

test(`${KILLS} random kills while six features run three at a time: nothing is lost, nothing doubled, nothing left over`, {
  timeout: 60_000 + KILLS * 15_000,
}, async () => {
  const calm = await calmRun();
  let kills = 0;
  let project = 0;
  const worker = async () => {
    while (kills < KILLS) {
      const seed = SEED + project++;
      kills += await killedProject(seed, calm);
    }
  };
  await Promise.all([worker(), worker()]);
  expect(kills).toBeGreaterThanOrEqual(KILLS);
});

type Calm = Awaited<ReturnType<typeof calmRun>>;

async function calmRun() {
  using load = makeLoad();
  const trace = join(load.home, "trace");
  const { code, stderr, lines } = await startRun(load, { env: { ANNEAL_FAILPOINT_TRACE: trace } }).ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(lines.at(-1)).toEqual({
    settled: [
      "approval waiting-for-human",
      "checked ended",
      "fixed ended",
      "last ended",
      "quick ended",
      "stuck waiting-for-human",
    ],
    broken: [],
    blocked: [],
  });
  expect(leftovers(load)).toEqual([]);
  const passed = readFileSync(trace, "utf8").trim().split("\n");
  return { outcome: outcomeOf(load), passed, events: lines.filter(({ seq }) => seq !== undefined).length };
}

/** Kills one project again and again, lets it end, and compares; says how often it died. */
async function killedProject(seed: number, calm: Calm): Promise<number> {
  using load = makeLoad();
  const died: Kill[] = [];
  const acknowledged: Line[] = [];
  try {
    for (const kill of drawKills(seeded(seed), KILLS_PER_PROJECT, calm)) {
      const { signal, code, stderr, lines } = await killedRun(load, kill);
      acknowledged.push(...lines.filter(({ seq }) => seq !== undefined));
      if (signal === null) expect({ kill, code, stderr }).toEqual({ kill, code: 0, stderr: "" });
      if (signal === null) break;
      died.push(kill);
    }
    const { code, stderr, lines } = await startRun(load).ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect([...lines.filter(({ trouble }) => trouble), lines.at(-1)?.broken]).toEqual([[]]);
    expect(outcomeOf(load)).toEqual(calm.outcome);
    expect(leftovers(load)).toEqual([]);
    expect(tellings(load)).toEqual(expect.arrayContaining(acknowledged));
    return died.length;
  } catch (error) {
    const again = `ANNEAL_SEED=${seed} ANNEAL_KILLS=1 npm run test:soak`;
    throw new Error(`After the kills ${died.map(described).join(", ")} (again with ${again})`, { cause: error });
  }
}
