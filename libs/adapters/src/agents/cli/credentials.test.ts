import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { AgentEvent, AgentRun } from "../../ports.ts";
import { codexAgent } from "../codex/index.ts";
import { commandAgent } from "../command/index.ts";
import { type AgentSetup, type Cli, cliAgent } from "./cli-agent.ts";
import { cleanedRun, maskedEvents, secretsIn, withoutCredentials } from "./credentials.ts";
import { standIn } from "./testing/stand-in.ts";

const never = new AbortController().signal;

function folder(): string {
  const made = realpathSync(mkdtempSync(join(tmpdir(), "anneal-credentials-")));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

describe("what is secret of an environment", () => {
  test.for<{ what: string; env: Record<string, string>; setup?: AgentSetup; secret: string[] }>([
    { what: "a key by its name", env: { MY_API_KEY: "abcd-fgh" }, secret: ["abcd-fgh"] },
    {
      what: "values of headers",
      env: { ANTHROPIC_CUSTOM_HEADERS: "X-Gateway: gate-4711-0815\nX-Proxy-Pass: Bearer open-sesame-1" },
      secret: ["gate-4711-0815", "open-sesame-1"],
    },
    {
      what: "who opens a proxy, in every form",
      env: { HTTPS_PROXY: "http://someone:p%40ssw0rd!@proxy.example:3128" },
      secret: ["p%40ssw0rd!", "p@ssw0rd!", "someone:p@ssw0rd!", Buffer.from("someone:p@ssw0rd!").toString("base64")],
    },
    { what: "a token as user of an address", env: { X_URL: "https://tok-12345678@h/" }, secret: ["tok-12345678"] },
    { what: "what follows Bearer", env: { EXTRA: '{"a":"Bearer abc.def-123"}' }, secret: ["abc.def-123"] },
    {
      what: "what the user handed over by name",
      env: { GATEWAY_PASS_PHRASE: "correct horse battery" },
      setup: { passEnv: ["GATEWAY_PASS_PHRASE"] },
      secret: ["correct horse battery"],
    },
    {
      what: "what the user set",
      env: { TENANT: "t-9f8e7d6c5b4a" },
      setup: { env: { TENANT: "t-9f8e7d6c5b4a" } },
      secret: ["t-9f8e7d6c5b4a"],
    },
    {
      what: "each line of a key of several",
      env: { SIGNING_KEY: "-----BEGIN KEY-----\nMIIBVgIBADANBgkq\n-----END KEY-----" },
      secret: ["MIIBVgIBADANBgkq"],
    },
    {
      what: "what authorises",
      env: { MY_AUTHORIZATION: "abcd3fgh", MY_AUTH: "ijKlmnop" },
      secret: ["abcd3fgh", "ijKlmnop"],
    },
  ])("$what", ({ env, setup, secret }) => {
    const clean = withoutCredentials(secretsIn(env, setup));
    for (const one of secret) expect(clean(`it is ${one}.`)).not.toContain(one);
  });

  test.for(["password", "postgres", "PROJECTS", "Changeme", "12345678"])(
    "a password %s is a word that everybody writes",
    (word) => {
      expect(withoutCredentials(secretsIn({ DB_PASSWORD: word }))(`the ${word} field`)).toBe(`the ${word} field`);
    },
  );

  test("nothing is who writes commits", () => {
    const env = { GIT_AUTHOR_NAME: "Ada Lovelace", GIT_COMMITTER_EMAIL: "ada@example.org" };
    expect(secretsIn(env, { env })).toEqual([]);
  });

  test.for([
    { CONFIG_DIR: "/home/somebody/.config/agent" },
    { SOME_URL: "https://models.example.com/v1/chat" },
    { ANTHROPIC_MODEL: "claude-sonnet-4-5-20250929" },
    { LANGUAGE: "en_US.UTF-8" },
  ])("a path, an address, a model or a short word is no credential: %o", (env) => {
    expect(secretsIn(env, { env })).toEqual([]);
  });
});

const letters = "abcXYZ0189-_/+=.\"\\ $%&'é";
const secret = fc.string({ minLength: 12, maxLength: 40, unit: fc.constantFrom(...letters) });
const form = fc.constantFrom<(value: string) => string>(
  (value) => value,
  (value) => JSON.stringify(value),
  (value) => JSON.stringify({ nested: JSON.stringify(value) }),
);

describe("whatever an agent says", () => {
  test("no credential is in a run, wherever it stands in it and however it is written", () => {
    fc.assert(
      fc.property(secret, form, fc.string(), (value, written, beside) => {
        const said = `${beside}${written(value)}${beside}`;
        const run: AgentRun = {
          ...{ status: "finished", text: said, error: said, model: said, usage: {} },
          structured: { summary: said, [said]: [{ findings: [said, 1, null, true] }] },
        };
        const clean = withoutCredentials([value]);
        expect(everyString(cleanedRun(run, clean)).filter((text) => text.includes(value))).toEqual([]);
        expect(JSON.stringify(cleanedRun(run, clean))).not.toContain(JSON.stringify(value).slice(1, -1));
      }),
    );
  });

  test("no credential is in what events say together, however it is cut into pieces", () => {
    const cuts = fc.array(fc.nat(80), { maxLength: 12 });
    fc.assert(
      fc.property(secret, fc.string(), cuts, fc.constantFrom("text", "note"), (value, beside, at, kind) => {
        const said = `${beside}${value}${beside}${value.slice(0, 5)}`;
        const events: AgentEvent[] = [];
        const reported = maskedEvents([value], (event) => events.push(event));
        for (const text of inPieces(said, at)) reported.tell({ kind, text } as AgentEvent);
        reported.tell({ kind: "tool", name: value, detail: value });
        reported.end();
        const all = everyString(events).join("");
        expect(all).not.toContain(value);
        const words = events.map((event) => ("text" in event ? event.text : "")).join("");
        expect(words).toBe(withoutCredentials([value])(said));
      }),
    );
  });

  test("pieces without a credential are passed on as they came", () => {
    const events: AgentEvent[] = [];
    const reported = maskedEvents(["sk-12345678"], (event) => events.push(event));
    const pieces = ["No issues", "so far", "", "sk-1 is none"].map((text) => ({ kind: "text", text }) as const);
    for (const piece of pieces) reported.tell(piece);
    reported.end();
    expect(events).toEqual(pieces);
  });
});

describe("an agent that prints all it was given", () => {
  const PROXY = "http://me:hunter-2222@proxy.example:1";
  const HEADERS = "X-Gate: gate-4711-0815";
  const given = ["sk-named-0001", "t-9f8e7d6c5b4a", "hunter-2222", "gate-4711-0815", "from-the-config"];

  test("gives it in no field of its run and in no event", async () => {
    const setup: AgentSetup = {
      env: { MY_KEY: "sk-named-0001", TENANT: "t-9f8e7d6c5b4a", HTTPS_PROXY: PROXY, CUSTOM_HEADERS: HEADERS },
    };
    const all = given.join(" ");
    const events: AgentEvent[] = [];
    const answer = { text: all, structured: { summary: all, issues: [{ [all]: all }] }, model: all };
    const dir = folder();
    const agent = cliAgent(echo(answer), { ...setup, command: standIn(dir, [{ stdout: given, stderr: given }]) });
    const request = { role: "reviewer", prompt: "?", cwd: dir, limits: { timeoutMs: 60_000 } } as const;
    const run = await agent.run({ ...request, onEvent: (event) => events.push(event) }, never);
    expect(run.status).toBe("finished");
    expect(events.length).toBeGreaterThan(0);
    for (const one of given) expect(JSON.stringify([run, events]), one).not.toContain(one);
  });

  test("gives nothing of it in a failure, even where its last words were cut", async () => {
    const dir = folder();
    const words = `${"x".repeat(585)}sk-named-0001 yyy`;
    const setup = {
      env: { MY_KEY: "sk-named-0001" },
      command: standIn(dir, [{ stdout: [], stderr: [words], exit: 1 }]),
    };
    const agent = codexAgent({ ...setup, env: { ...setup.env, CODEX_HOME: dir } });
    const run = await agent.run({ role: "reviewer", prompt: "?", cwd: dir, limits: { timeoutMs: 60_000 } }, never);
    expect(run).toMatchObject({ status: "failed" });
    expect(run.error).not.toMatch(/named|0001/);
  });

  test("a command agent's structured answer is cleaned too", async () => {
    vi.stubEnv("GATEWAY_PASS_PHRASE", "correct-horse-battery");
    onTestFinished(() => void vi.unstubAllEnvs());
    const dir = folder();
    const stdout = [JSON.stringify({ summary: "correct-horse-battery", verdict: "pass" })];
    const agent = commandAgent({
      command: standIn(dir, [{ stdout }]),
      passEnv: ["GATEWAY_PASS_PHRASE"],
      unsandboxed: "allowed",
    });
    const request = { role: "fixer", prompt: "?", cwd: dir, limits: { timeoutMs: 60_000 }, schema: {} } as const;
    const run = await agent.run(request, never);
    expect(JSON.stringify(run)).toContain("[redacted]");
    expect(JSON.stringify(run)).not.toContain("correct-horse");
  });
});

/** A command line whose lines are its words, and which ends with this answer. */
function echo(answer: Partial<AgentRun>): Cli {
  return {
    ...{ name: "echo", program: "echo", install: "", env: [] },
    capabilities: { schema: "native", readOnly: "os", cost: "none", streaming: "events" },
    launch: () => ({ args: [], env: { ODD_NAME: "from-the-config" }, secret: ["ODD_NAME"] }),
    transcript: () => ({
      line: (text) => [
        { kind: "text", text },
        { kind: "result", name: text, detail: text },
      ],
      end: () => ({ status: "finished", text: "", usage: {}, ...answer }),
    }),
  };
}

function everyString(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => [key, ...everyString(one)]);
}

function inPieces(text: string, cuts: readonly number[]): string[] {
  const at = [...new Set([0, ...cuts.map((cut) => Math.min(cut, text.length)), text.length])].sort((a, b) => a - b);
  return at.slice(1).map((end, index) => text.slice(at[index], end));
}
