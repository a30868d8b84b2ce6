import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { program } from "../../../system/src/testing/program.ts";
import { described, drawKills, type Kill, killedRun } from "./testing/kills.ts";
import { leftovers } from "./testing/leftovers.ts";
import { type Load, makeLoad } from "./testing/load.ts";
import { MIXED_KEYS, makeMixed, mixedOutcome } from "./testing/mixed.ts";
import { outcomeOf, tellings } from "./testing/outcome.ts";
import { type Line, type StartOptions, startRun } from "./testing/process.ts";
import { seeded } from "./testing/random.ts";

/** One project that dies again and again; the soak kills many. */
const DEFAULT_KILLS = 10;
const KILLS = Number(process.env.ANNEAL_KILLS ?? DEFAULT_KILLS);
const SEED = Number(process.env.ANNEAL_SEED ?? 1);
const KILLS_PER_PROJECT = 10;

/** Work that is killed on the way. */
interface Work {
  name: string;
  make(): Load;
  /** How it is run. */
  run: StartOptions;
  settled: string[];
  outcome(load: Load): object;
}

const WORKS: Work[] = [
  {
    name: "six features run three at a time",
    make: () => makeLoad(),
    run: {},
    settled: [
      "approval waiting-for-human",
      "checked ended",
      "fixed ended",
      "last ended",
      "quick ended",
      "stuck waiting-for-human",
    ],
    outcome: outcomeOf,
  },
  {
    name: "an epic, stories, units, a pull request and features run at once",
    make: makeMixed,
    run: { child: program("mixed-child") },
    settled: MIXED_KEYS.map((key) => `${key} ended`).sort(),
    outcome: (load) => ({ ...outcomeOf(load), ...mixedOutcome(load) }),
  },
];

test.for(WORKS)(
  `${KILLS} random kills while $name: nothing is lost, nothing doubled, nothing left over`,
  {
    timeout: 60_000 + KILLS * 15_000,
  },
  async (work) => {
    const calm = await calmRun(work);
    let kills = 0;
    let project = 0;
    const worker = async () => {
      while (kills < KILLS) {
        const seed = SEED + project++;
        kills += await killedProject(work, seed, calm);
        if (KILLS > DEFAULT_KILLS) console.info(`${kills} of ${KILLS} kills while ${work.name}`);
      }
    };
    await Promise.all(KILLS > KILLS_PER_PROJECT ? [worker(), worker()] : [worker()]);
    expect(kills).toBeGreaterThanOrEqual(KILLS);
  },
);

type Calm = Awaited<ReturnType<typeof calmRun>>;

async function calmRun({ make, run, settled, outcome }: Work) {
  using load = make();
  const trace = join(load.home, "trace");
  const { code, stderr, lines } = await startRun(load, { ...run, env: { ANNEAL_FAILPOINT_TRACE: trace } }).ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(lines.at(-1)).toEqual({ settled, broken: [], blocked: [] });
  expect(leftovers(load)).toEqual([]);
  const passed = readFileSync(trace, "utf8").trim().split("\n");
  return { outcome: outcome(load), passed, events: lines.filter(({ seq }) => seq !== undefined).length };
}

/** Kills one project again and again, lets it end, and compares; says how often it died. */
async function killedProject({ make, run, outcome }: Work, seed: number, calm: Calm): Promise<number> {
  using load = make();
  const died: Kill[] = [];
  const acknowledged: Line[] = [];
  try {
    for (const kill of drawKills(seeded(seed), KILLS_PER_PROJECT, calm)) {
      const { signal, code, stderr, lines } = await killedRun(load, kill, run);
      acknowledged.push(...lines.filter(({ seq }) => seq !== undefined));
      if (signal === null) expect({ kill, code, stderr }).toEqual({ kill, code: 0, stderr: "" });
      if (signal === null) break;
      died.push(kill);
    }
    const { code, stderr, lines } = await startRun(load, run).ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect([...lines.filter(({ trouble }) => trouble), lines.at(-1)?.broken]).toEqual([[]]);
    expect(outcome(load)).toEqual(calm.outcome);
    expect(leftovers(load)).toEqual([]);
    expect(tellings(load)).toEqual(expect.arrayContaining(acknowledged));
    return died.length;
  } catch (error) {
    const again = `ANNEAL_SEED=${seed} ANNEAL_KILLS=1 npm run test:soak -- random-kills`;
    throw new Error(`After the kills ${died.map(described).join(", ")} (again with ${again})`, { cause: error });
  }
}
