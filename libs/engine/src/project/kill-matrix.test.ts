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
    const { expected, passed } = await calmRun(flow);
    const points = killPoints(flow, passed);
    expect(points.length).toBeGreaterThanOrEqual(flow.only === undefined ? 20 : 10);
    await inPairs(points, async (point) => {
      using repo = flow.project();
      const killed = await run(repo, flow, { ANNEAL_FAILPOINT: point });
      expect(killed.signal, `${point}: ${killed.out}`).toBe("SIGKILL");
      expect(await run(repo, flow), point).toEqual(calmly(flow));
      expect(result(flow, repo), point).toEqual(expected);
    });
  },
);

test("features and branches are killed at 20 failpoints at least, the other kinds of work at 30 further ones", async () => {
  const [first, others] = [new Set<string>(), new Set<string>()];
  for (const flow of FLOWS) {
    const { passed } = await calmRun(flow);
    const names = /^a (?:feature|loop)/.test(flow.name) ? first : others;
    for (const point of killPoints(flow, passed)) names.add(point.replace(/:\d+$/, ""));
  }
  expect(first.size).toBeGreaterThanOrEqual(20);
  expect([...others].filter((name) => !first.has(name)).length).toBeGreaterThanOrEqual(30);
});

test("every failpoint of the product is met on one of these ways, or it is known where else it is killed and why", async () => {
  const met = new Set<string>();
  for (const flow of FLOWS) for (const name of (await calmRun(flow)).passed) met.add(name);
  expect(failpointsInSource().filter((name) => !met.has(name))).toEqual(Object.keys(UNMET).sort());
});

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

/** The first passing of every failpoint that the flow meets and one in the middle; how many there are varies a little. */
function killPoints({ only = /^/, also = [] }: Flow, passed: string[]): string[] {
  const names = [...new Set(passed)].filter((name) => only.test(name));
  const met = names.flatMap((name) => {
    const times = passed.filter((one) => one === name).length;
    return times < 3 ? [name] : [name, `${name}:${Math.ceil(times / 2)}`];
  });
  return [...met, ...also];
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
