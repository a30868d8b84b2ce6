import { globSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FLOWS } from "./testing/kill-flows.ts";
import { type Flow, result, run } from "./testing/kill-run.ts";
import { UNMET } from "./testing/unmet-failpoints.ts";

const LIBS = new URL("../../../", import.meta.url).pathname;

test.for(FLOWS)(
  "killed at every effect and started again, $name ends exactly as if nothing had happened",
  {
    timeout: 900_000,
  },
  async (flow) => {
    const calm = await calmRun(flow);
    const points = killPoints(flow, calm.passed);
    expect(points.length).toBeGreaterThanOrEqual(flow.only === undefined ? 20 : 10);
    const missed: Point[] = [];
    await inPairs(spread(points, DEATHS), async (deaths) => void missed.push(...(await die(flow, calm, deaths))));
    await inPairs(missed, async (point) => expect(await die(flow, calm, [point])).toEqual([]));
  },
);

test("features and branches are killed at 20 failpoints at least, the other kinds of work at 30 further ones", async () => {
  const [first, others] = [new Set<string>(), new Set<string>()];
  for (const flow of FLOWS) {
    const { passed } = await calmRun(flow);
    const names = /^a (?:feature|loop)/.test(flow.name) ? first : others;
    for (const { name } of killPoints(flow, passed)) names.add(name);
  }
  expect(first.size).toBeGreaterThanOrEqual(20);
  expect([...others].filter((name) => !first.has(name)).length).toBeGreaterThanOrEqual(30);
});

test("every failpoint of the product is met on one of these ways, or it is known where else it is killed and why", async () => {
  const met = new Set<string>();
  for (const flow of FLOWS) for (const name of (await calmRun(flow)).passed) met.add(name);
  expect(failpointsInSource().filter((name) => !met.has(name))).toEqual(Object.keys(UNMET).sort());
});

const IS_SOAK = process.env.ANNEAL_KILLS !== undefined;
/** How often one project dies on its way. Once, in the soak, where no later start can mend what an earlier one left. */
const DEATHS = IS_SOAK ? 1 : 9;

/** A point on the way of the calm run, as an index into what it passed. */
interface Point {
  name: string;
  at: number;
}

type Calm = Awaited<ReturnType<typeof runCalmly>>;

/** Kills one project at the points, one life each, lets it end, and compares; gives the points that it did not come to. */
async function die(flow: Flow, { expected, passed }: Calm, points: readonly Point[]): Promise<Point[]> {
  using repo = flow.project();
  const died: Point[] = [];
  const live = async () => {
    const { name, at } = points[died.length] ?? { name: "", at: 0 };
    const passings = passed.slice((died.at(-1)?.at ?? -1) + 1, at + 1).filter((one) => one === name).length;
    return await run(repo, flow, { ANNEAL_FAILPOINT: `${name}:${passings}` });
  };
  let { signal, out } = await live();
  while (signal === "SIGKILL") {
    died.push(...points.slice(died.length, died.length + 1));
    ({ signal, out } = await live());
  }
  expect({ died, signal, out }).toEqual({ died, ...calmly(flow) });
  expect({ died, ...result(flow, repo) }).toEqual({ died, ...expected });
  return points.slice(died.length);
}

/** Deals the points out, so that those of one project lie far from each other on the way. */
function spread(points: readonly Point[], deaths: number): Point[][] {
  const projects = Math.ceil(points.length / deaths);
  const inOrder = points.toSorted((a, b) => a.at - b.at);
  return Array.from({ length: projects }, (_, project) => inOrder.filter((_, index) => index % projects === project));
}

// People are told when a loop has ended; whoever runs the item again after that asks for a new loop.
const BEFORE_ITS_END = /^(?!notice)/;

const calmRuns = new Map<Flow, ReturnType<typeof runCalmly>>();

function calmRun(flow: Flow): ReturnType<typeof runCalmly> {
  const known = calmRuns.get(flow) ?? runCalmly(flow);
  calmRuns.set(flow, known);
  return known;
}

async function runCalmly(flow: Flow) {
  using repo = flow.project();
  const trace = join(repo.dir, ".automaker", "trace");
  mkdirSync(join(repo.dir, ".automaker"), { recursive: true });
  expect(await run(repo, flow, { ANNEAL_FAILPOINT_TRACE: trace })).toEqual(calmly(flow));
  const expected = result(flow, repo);
  expect(expected.commits.split("\n")).toHaveLength(flow.commits);
  return { expected, passed: readFileSync(trace, "utf8").trim().split("\n") };
}

function calmly({ ends = "passed" }: Flow) {
  return { signal: null, out: ends };
}

/**
 * The first passing of every failpoint that the flow meets and one in the middle; how many there are varies a little.
 * Outside of the soak only one of the two: the first in the first flow, the other in the rest.
 */
function killPoints(flow: Flow, passed: string[]): Point[] {
  const { only = BEFORE_ITS_END, also = [] } = flow;
  const names = [...new Set(passed)].filter((name) => only.test(name));
  const met = names.flatMap((name) => {
    const all = passingsOf(passed, name);
    const two = all.length < 3 ? all.slice(0, 1) : [all[0], all[Math.ceil(all.length / 2) - 1]];
    return IS_SOAK ? two : [flow === FLOWS[0] ? two[0] : two.at(-1)];
  });
  const further = also.map(({ name, passing }) => passingsOf(passed, name)[passing - 1]);
  return [...met, ...further].map((point) => point ?? expect.fail("a point of the flow is not on its way"));
}

function passingsOf(passed: readonly string[], name: string): Point[] {
  return passed.flatMap((one, at) => (one === name ? [{ name, at }] : []));
}

/** Every name that is written down in the source; those of durable files begin with the area of the file. */
function failpointsInSource(): string[] {
  const files = globSync("*/src/**/*.ts", { cwd: LIBS, exclude: ["**/*.test.ts", "**/testing/**"] });
  const source = files.map((file) => readFileSync(join(LIBS, file), "utf8")).join("\n");
  const all = (pattern: RegExp) => [...source.matchAll(pattern)].map(([, name = ""]) => name);
  const areas = (pattern: RegExp, ends: string[]) =>
    all(pattern).flatMap((area) => ends.map((end) => `${area}.${end}`));
  const renames = ["rename.before", "rename.after"];
  return [
    ...new Set([
      ...all(/\bfailpoint\(\s*"([^"]+)"/g),
      ...areas(/\barea: "([\w-]+)"/g, ["write.before", ...renames]),
      ...areas(/\brenameDurably\([^)]*"([\w-]+)"\)/g, renames),
    ]),
  ].sort();
}

async function inPairs<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items];
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all([worker(), worker()]);
}
