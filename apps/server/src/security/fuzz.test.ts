import fc from "fast-check";
import { expect, test } from "vitest";
import { fitting, hostile, spoiled } from "../testing/arbitrary.ts";
import { placeCanary } from "../testing/canary.ts";
import {
  type Document,
  documentOf,
  filled,
  type Operation,
  operationsOf,
  type Parameter,
  type Wire,
  wire,
} from "../testing/document.ts";
import { serverWorld, type World } from "../testing/server-world.ts";

const REQUESTS = 10_000;
const SEED = Number(process.env.ANNEAL_FUZZ_SEED ?? 42);
const AT_ONCE = 6;

test(`${REQUESTS} requests made from the description, with seed ${SEED}: none breaks the server or leaves the project`, async () => {
  await using world = await serverWorld({ projects: 2, features: 3 });
  const canary = placeCanary(world);
  const document = await documentOf(world);
  const operations = operationsOf(document);
  const requests = requestsOf(world, document, operations);
  expect(requests).toHaveLength(REQUESTS);
  const before = canary.state();
  const http = wire(world, AT_ONCE);
  const counts: Record<number, number> = {};
  const wrong: string[] = [];
  const queue = requests.values();
  const worker = async () => {
    for (const asked of queue) {
      const { status, text } = await http.send(asked).catch((error: Error) => ({ status: 0, text: error.message }));
      counts[status] = (counts[status] ?? 0) + 1;
      const bad = status === 0 || (status >= 500 && status !== 503) || /SECRET-OF-THE-CANARY|root:x:0/.test(text);
      if (bad && wrong.length < 20)
        wrong.push(
          `${asked.method} ${asked.path.slice(0, 300)} ${asked.body?.slice(0, 300) ?? ""}: ${status} ${text.slice(0, 200)}`,
        );
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  http.close();
  console.info(`seed ${SEED}: ${JSON.stringify(counts)} over ${operations.length} routes`);
  expect([
    ...wrong,
    ...world.lines.filter((line) => line.startsWith("! ") && line.includes("    at ")).slice(0, 3),
  ]).toEqual([]);
  expect(canary.state()).toEqual(before);
  expect((await world.call("GET", "/api/health")).status).toBe(200);
  // Both kinds were there: a fuzzer that is always turned away at the door shows nothing.
  expect(counts[200]).toBeGreaterThan(REQUESTS / 50);
  expect(counts[400]).toBeGreaterThan(REQUESTS / 50);
}, 180_000);

/** These start programs, and are asked a tenth as often. */
const HEAVY = ["GET /api/projects/{project}/agents"];

/** As many of each route, in turns. */
function requestsOf(world: World, document: Document, operations: Operation[]): Wire[] {
  const most = Math.ceil(REQUESTS / (operations.length - HEAVY.length));
  const each = operations.map((operation, n) => {
    const heavy = HEAVY.includes(`${operation.method} ${operation.path}`);
    const numRuns = heavy ? Math.ceil(most / 10) : most;
    return fc.sample(requestOf(world, document, operation), { seed: SEED + n, numRuns });
  });
  return Array.from({ length: most }, (_, turn) => each.flatMap((own) => own[turn] ?? []))
    .flat()
    .slice(0, REQUESTS);
}

function requestOf(
  world: World,
  document: Document,
  { method, path, parameters, body }: Operation,
): fc.Arbitrary<Wire> {
  const value = ({ name, schema }: Parameter) =>
    fc.oneof(
      { weight: 6, arbitrary: known(world, name) ?? fitting(document, schema) },
      { weight: 2, arbitrary: fitting(document, schema) },
      { weight: 1, arbitrary: hostile },
    );
  const record = (place: Parameter["in"]) => {
    const own = parameters.filter((one) => one.in === place);
    const required = own.filter((one) => one.required === true || place === "path").map(({ name }) => name);
    return fc.record(Object.fromEntries(own.map((one) => [one.name, value(one)])), { requiredKeys: required });
  };
  const good = body === null ? fc.constant(undefined) : fitting(document, body);
  const given =
    body === null
      ? fc.constant(undefined)
      : fc.oneof({ weight: 3, arbitrary: good }, { weight: 2, arbitrary: spoiled(good) });
  const etag = fc.constantFrom(undefined, '"x"', "*", 'W/"x"', "nonsense");
  return fc.tuple(record("path"), record("query"), given, etag).map(([params, query, said, tag]) => {
    const asked = new URLSearchParams(
      Object.entries(query).map(([name, one]): [string, string] => [name, String(one)]),
    );
    return {
      method,
      path: `${filled(path, strings(params))}${asked.size === 0 ? "" : `?${asked}`}`,
      headers: {
        "x-api-key": world.token,
        ...(said === undefined ? {} : { "content-type": "application/json" }),
        ...(tag === undefined ? {} : { [method === "GET" ? "if-none-match" : "if-match"]: tag }),
      },
      body: said === undefined ? undefined : JSON.stringify(said),
    };
  });
}

function strings(values: object): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, one]) => [name, String(one)]));
}

/** Names of things that are there, so that requests come further than to the first check. */
function known({ ids, roots }: World, name: string): fc.Arbitrary<string> | null {
  if (name === "project") return fc.constantFrom(...ids);
  if (name === "loop") return fc.constantFrom("f1~1", "f2~1", "f3~1");
  if (/^(?:item|feature|featureId)$/.test(name)) return fc.constantFrom("f1", "f2", "f3", "link");
  if (name === "projectPath") return fc.constantFrom(...roots);
  if (/^(?:round|from|to|base|head)$/.test(name)) return fc.constantFrom("1", "2", "0");
  return null;
}
