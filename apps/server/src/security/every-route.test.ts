import { Validator } from "@seriousme/openapi-schema-validator";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fitting, HOSTILE } from "../testing/arbitrary.ts";
import { placeCanary } from "../testing/canary.ts";
import {
  type Document,
  documentOf,
  filled,
  type Operation,
  operationsOf,
  type Wire,
  wire,
} from "../testing/document.ts";
import { serverWorld, type World } from "../testing/server-world.ts";

const SEED = 20_260_301;
/** These need no credentials. */
const OPEN = ["GET /api/health"];

let world: World;
let document: Document;
let operations: Operation[];
let http: ReturnType<typeof wire>;
let canary: ReturnType<typeof placeCanary>;

beforeAll(async () => {
  world = await serverWorld({ projects: 2, features: 2 });
  canary = placeCanary(world);
  document = await documentOf(world);
  operations = operationsOf(document);
  http = wire(world);
});
afterAll(async () => {
  http.close();
  await world[Symbol.asyncDispose]();
});

const KNOWN: Record<string, () => string> = {
  project: () => world.ids[0] ?? "",
  item: () => "f1",
  featureId: () => "f1",
  feature: () => "f1",
};

function sample(schema: Parameters<typeof fitting>[1], seed: number): unknown {
  return fc.sample(fitting(document, schema), { numRuns: 1, seed })[0];
}

/** A request that the document allows. */
function proper({ method, path, parameters, body }: Operation, params: Record<string, string> = {}, seed = SEED): Wire {
  const values = Object.fromEntries(
    parameters
      .filter((one) => one.in === "path")
      .map(({ name, schema }) => [name, KNOWN[name]?.() ?? String(sample(schema, seed))]),
  );
  const query = new URLSearchParams(
    parameters
      .filter((one) => one.in === "query" && one.required === true)
      .map(({ name, schema }): [string, string] => [name, String(sample(schema, seed))]),
  );
  return {
    method,
    path: `${filled(path, { ...values, ...params })}${query.size === 0 ? "" : `?${query}`}`,
    headers: {
      "x-api-key": world.token,
      ...(method === "GET" ? {} : { "if-match": '"x"' }),
      ...(body === null ? {} : { "content-type": "application/json" }),
    },
    body: body === null ? undefined : JSON.stringify(sample(body, seed)),
  };
}

/** What every operation answers that should not answer as it should. */
async function others(ask: (operation: Operation) => Wire | null, wanted: readonly number[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const operation of operations) {
    const asked = ask(operation);
    if (asked === null) continue;
    const { status, text } = await http.send(asked);
    if (!wanted.includes(status))
      wrong.push(`${operation.method} ${asked.path.slice(0, 200)}: ${status} ${text.slice(0, 200)}`);
  }
  return wrong;
}

const nameOf = ({ method, path }: Operation) => `${method} ${path}`;
const withBody = ({ method }: Operation) => method !== "GET" && method !== "DELETE";
const sent = (operation: Operation, body: string): Wire | null => {
  if (!withBody(operation)) return null;
  const asked = proper(operation);
  return { ...asked, body, headers: { ...asked.headers, "content-type": "application/json" } };
};

describe("the description of the routes", () => {
  test("is a valid OpenAPI document", async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document) as never);
    expect([valid, errors]).toEqual([true, undefined]);
  });

  test("says of every route what it is for", () => {
    const silent = operations.filter(({ summary, tags }) => !summary || !tags?.length).map(nameOf);
    expect(silent).toEqual([]);
    expect(operations.length).toBeGreaterThan(15);
  });

  test("can be browsed, with nothing from elsewhere", async () => {
    const { status, headers, text } = await http.send({
      method: "GET",
      path: "/api/docs/",
      headers: { "x-api-key": world.token },
    });
    expect([status, headers["content-type"]]).toEqual([200, expect.stringContaining("text/html")]);
    expect(text).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  });
});

describe("every route", () => {
  test("is closed without credentials, but for those that say nothing", async () => {
    const wrong = await others(
      (operation) => (OPEN.includes(nameOf(operation)) ? null : { ...proper(operation), headers: {} }),
      [401],
    );
    expect(wrong).toEqual([]);
  });

  test.for([
    { header: "host", value: "evil.example:80" },
    { header: "host", value: "127.0.0.1" },
    { header: "origin", value: "https://evil.example" },
    { header: "origin", value: "null" },
  ])("refuses the $header $value", async ({ header, value }) => {
    const wrong = await others(
      (operation) => {
        const asked = proper(operation);
        return { ...asked, headers: { ...asked.headers, [header]: value } };
      },
      [403],
    );
    expect(wrong).toEqual([]);
  });

  test("that names a project answers 404 for one that is not there", async () => {
    const wrong: string[] = [];
    for (const operation of operations.filter(({ path }) => path.includes("{project}"))) {
      const answers = new Set<number>();
      // A document cannot say all that a body has to be, so that several are tried.
      for (let tries = 0; tries < 40 && !answers.has(404); tries += 1) {
        const asked = proper(operation, { project: "no-such-project" }, SEED + tries);
        // The smallest body first: a large one is seldom right as a whole.
        const { status } = await http.send(tries > 0 || asked.body === undefined ? asked : { ...asked, body: "{}" });
        answers.add(status);
      }
      if (!answers.has(404) || [...answers].some((status) => status !== 404 && status !== 400))
        wrong.push(`${nameOf(operation)}: ${[...answers]}`);
    }
    expect(wrong).toEqual([]);
  });

  test.for(
    HOSTILE.filter((value) => value !== "link" && value !== "").map((value) => ({
      value,
      shown: JSON.stringify(value).slice(0, 40),
    })),
  )("takes no $shown as part of its path", async ({ value }) => {
    const before = canary.state();
    const wrong: string[] = [];
    for (const operation of operations) {
      for (const { name } of operation.parameters.filter((one) => one.in === "path")) {
        const { status, text } = await http.send(proper(operation, { [name]: value }));
        if (status < 400 || status >= 500) wrong.push(`${nameOf(operation)} ${name}: ${status} ${text.slice(0, 200)}`);
        if (text.includes("SECRET-OF-THE-CANARY")) wrong.push(`${nameOf(operation)} ${name}: told the secret`);
      }
    }
    expect(wrong).toEqual([]);
    expect(canary.state()).toEqual(before);
  });

  test("does not follow a link out of the project", async () => {
    const before = canary.state();
    const told: string[] = [];
    for (const operation of operations) {
      for (const { name } of operation.parameters.filter((one) => one.in === "path" && one.name !== "project")) {
        const { status, text } = await http.send(proper(operation, { [name]: "link" }));
        if (text.includes("SECRET-OF-THE-CANARY") || status >= 500)
          told.push(`${nameOf(operation)}: ${status} ${text.slice(0, 200)}`);
      }
    }
    expect(told).toEqual([]);
    expect(canary.state()).toEqual(before);
  });

  test("that takes a path takes none out of its projects", async () => {
    const wrong: string[] = [];
    for (const operation of operations) {
      for (const { name } of operation.parameters.filter((one) => one.in === "query" && /path$/i.test(one.name))) {
        for (const value of ["/etc", `${world.roots[0]}/../canary`, "..", "\u0000"]) {
          const asked = proper(operation);
          const path = `${asked.path}${asked.path.includes("?") ? "&" : "?"}${new URLSearchParams({ [name]: value })}`;
          const { status } = await http.send({ ...asked, path });
          if (status < 400 || status >= 500) wrong.push(`${nameOf(operation)} ${name}=${value}: ${status}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  test.for([
    { what: "a body that is too large", body: JSON.stringify({ note: "x".repeat(2 ** 21) }), status: [413] },
    { what: "JSON that is none", body: '{"a":', status: [400] },
    { what: "JSON that is nested without end", body: `${"[".repeat(50_000)}${"]".repeat(50_000)}`, status: [400] },
    {
      what: "objects that are nested without end",
      body: `${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`,
      status: [400],
    },
    { what: "a key __proto__", body: '{"__proto__":{"admin":true}}', status: [400] },
    { what: "a key __proto__ deep inside", body: '{"a":[{"__proto__":{"admin":true}}]}', status: [400] },
    { what: "a constructor with a prototype", body: '{"constructor":{"prototype":{"admin":true}}}', status: [400] },
  ])("refuses $what", async ({ body, status }) => {
    expect(await others((operation) => sent(operation, body), status)).toEqual([]);
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  test("refuses bodies that are no JSON", async () => {
    const wrong = await others(
      (operation) => {
        const asked = sent(operation, "a=b");
        return (
          asked && { ...asked, headers: { ...asked.headers, "content-type": "application/x-www-form-urlencoded" } }
        );
      },
      [400, 415],
    );
    expect(wrong).toEqual([]);
  });

  test("answers with the usual headers", async () => {
    for (const operation of operations) {
      const { headers } = await http.send({ ...proper(operation), headers: {} });
      expect(headers).toMatchObject({
        "content-security-policy": expect.stringContaining("frame-ancestors 'none'"),
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
      });
    }
  });
});
