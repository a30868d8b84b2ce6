import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { AgentEvent, AgentRequest } from "../../ports.ts";
import { agentContract } from "../../testing/agent-contract.ts";
import { type FileEdit, loadScript, scriptedAgent } from "./scripted.ts";

agentContract(
  "scripted",
  (plan) =>
    scriptedAgent({
      steps: plan.map(({ role, answer, end, writes = {} }) => ({
        role,
        answer,
        end,
        edits: Object.entries(writes).map(([path, content]) => ({ path, content })),
      })),
    }),
  { hangs: "can", models: "none" },
);

function tempFolder(): { dir: string } & Disposable {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "anneal-script-")));
  return { dir, [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }) };
}

const never = new AbortController().signal;
const ask = (role: AgentRequest["role"], cwd = "/", prompt = "?"): AgentRequest => ({
  role,
  prompt,
  cwd,
  limits: { timeoutMs: 60_000 },
});

describe("a script", () => {
  test("gives each run the next step that fits its role", async () => {
    const agent = scriptedAgent({
      steps: [
        { role: "reviewer", answer: "r1" },
        { role: "fixer", answer: "f1" },
        { answer: "any" },
        { role: "reviewer", answer: "r2" },
      ],
    });
    const said = [];
    for (const role of ["fixer", "reviewer", "fixer", "reviewer"] as const)
      said.push((await agent.run(ask(role), never)).text);
    expect(said).toEqual(["f1", "r1", "any", "r2"]);
  });

  test("that is used up fails the run and says so", async () => {
    const agent = scriptedAgent({ steps: [{ answer: "once" }] });
    await agent.run(ask("reviewer"), never);
    expect(await agent.run(ask("reviewer"), never)).toMatchObject({
      status: "failed",
      text: "",
      error: expect.stringContaining("no step left for the role reviewer"),
    });
  });

  test("with repeatLast goes on with its last fitting step", async () => {
    const agent = scriptedAgent({
      repeatLast: true,
      steps: [
        { role: "reviewer", answer: "1" },
        { role: "reviewer", answer: "2" },
      ],
    });
    const said = [];
    for (const _ of [1, 2, 3, 4]) said.push((await agent.run(ask("reviewer"), never)).text);
    expect(said).toEqual(["1", "2", "2", "2"]);
    expect((await agent.run(ask("fixer"), never)).status).toBe("failed");
  });

  test("answers an object as JSON text and as structure, with usage and model", async () => {
    const agent = scriptedAgent({
      model: "m-1",
      steps: [{ answer: { verdict: "fail" }, usage: { inputTokens: 3, costUsd: 0.5 } }],
    });
    expect(await agent.run(ask("reviewer"), never)).toEqual({
      status: "finished",
      text: '{"verdict":"fail"}',
      structured: { verdict: "fail" },
      usage: { inputTokens: 3, costUsd: 0.5 },
      model: "m-1",
    });
  });

  test("cannot say that somebody else played", () => {
    expect(scriptedAgent({ name: "claude", steps: [] }).name).toBe("scripted");
  });

  test("keeps the prompts of all runs and reports what it does as events", async () => {
    using folder = tempFolder();
    const events: AgentEvent[] = [];
    const agent = scriptedAgent({ steps: [{ answer: "done", edits: [{ path: "x", content: "" }] }] });
    await agent.run({ ...ask("fixer", folder.dir, "first"), onEvent: (event) => events.push(event) }, never);
    await agent.run(ask("fixer", folder.dir, "second"), never);
    expect(agent.prompts).toEqual(["first", "second"]);
    expect(events).toEqual([
      { kind: "tool", name: "edit", detail: "x" },
      { kind: "text", text: "done" },
    ]);
  });

  test("can leave edits behind and then crash", async () => {
    using folder = tempFolder();
    const agent = scriptedAgent({ steps: [{ error: "out of memory", edits: [{ path: "half", content: "done" }] }] });
    expect(await agent.run(ask("fixer", folder.dir), never)).toMatchObject({
      status: "failed",
      error: "out of memory",
    });
    expect(existsSync(join(folder.dir, "half"))).toBe(true);
  });

  test.for([
    { what: "the next fitting step", turn: {} },
    { what: "the step of a turn", turn: { turn: 1 } },
  ])("can have $what turned away by its provider, and plays it when the run is tried again", async ({ turn }) => {
    const agent = scriptedAgent({
      steps: [{ answer: "at last", rateLimited: { times: 2, retryAfterMs: 700 } }, { answer: "next" }],
    });
    const run = () => agent.run({ ...ask("reviewer"), ...turn }, never);
    const away = { status: "failed", text: "", error: "rate limited", usage: {}, rateLimited: { retryAfterMs: 700 } };
    expect([await run(), await run()]).toEqual([away, away]);
    expect(await run()).toEqual({ status: "finished", text: "at last", usage: {} });
  });

  test("turns a step away once, without a time, by default", async () => {
    const agent = scriptedAgent({ steps: [{ answer: "x", rateLimited: {} }] });
    expect(await agent.run(ask("reviewer"), never)).toMatchObject({ rateLimited: { retryAfterMs: null } });
    expect(await agent.run(ask("reviewer"), never)).toMatchObject({ status: "finished" });
  });

  test("that is slow answers after its delay, and edits nothing when it is stopped before", async () => {
    using folder = tempFolder();
    const step = { answer: "late", edits: [{ path: "x", content: "" }] };
    const agent = scriptedAgent({
      steps: [
        { ...step, delayMs: 60_000 },
        { ...step, delayMs: 60_000 },
        { ...step, delayMs: 1 },
      ],
    });
    const stop = new AbortController();
    const stopped = agent.run(ask("fixer", folder.dir), stop.signal);
    stop.abort();
    expect((await stopped).status).toBe("cancelled");
    const slow = await agent.run({ ...ask("fixer", folder.dir), limits: { timeoutMs: 5 } }, never);
    expect(slow.status).toBe("timed-out");
    expect(existsSync(join(folder.dir, "x"))).toBe(false);
    expect(await agent.run(ask("fixer", folder.dir), never)).toMatchObject({ status: "finished", text: "late" });
  });
});

describe("edits", () => {
  test("write, append, replace and delete", async () => {
    using folder = tempFolder();
    writeFileSync(join(folder.dir, "old"), "a $& b $& c");
    writeFileSync(join(folder.dir, "log"), "1\n");
    writeFileSync(join(folder.dir, "gone"), "");
    const edits: FileEdit[] = [
      { path: "deep/new", content: "n" },
      { path: "log", append: "2\n" },
      { path: "old", replace: ["$&", "$1"] },
      { path: "gone", delete: true },
    ];
    const agent = scriptedAgent({ steps: [{ edits }] });
    expect(await agent.run(ask("fixer", folder.dir), never)).toMatchObject({ status: "finished" });
    const read = (name: string) => readFileSync(join(folder.dir, name), "utf8");
    expect([read("deep/new"), read("log"), read("old")]).toEqual(["n", "1\n2\n", "a $1 b $& c"]);
    expect(existsSync(join(folder.dir, "gone"))).toBe(false);
  });

  test.for<{ what: string; edit: FileEdit }>([
    { what: "a path upwards", edit: { path: "../outside", content: "x" } },
    { what: "a path that goes up later", edit: { path: "a/../../outside", content: "x" } },
    { what: "a path upwards with backslashes", edit: { path: "..\\outside", content: "x" } },
    { what: "an absolute path", edit: { path: "/tmp/anneal-outside", content: "x" } },
    { what: "an empty path", edit: { path: "", content: "x" } },
    { what: "the work tree itself", edit: { path: ".", delete: true } },
    { what: "a path through a link to the outside", edit: { path: "out/file", content: "x" } },
    { what: "a link to the outside as the file", edit: { path: "secret", append: "x" } },
    { what: "a link that leads nowhere", edit: { path: "dangling", content: "x" } },
    { what: "a removal through a link", edit: { path: "out/file", delete: true } },
    { what: "a hook", edit: { path: ".git/hooks/pre-commit", content: "x" } },
    { what: "a hook by a link", edit: { path: "repo/hooks/pre-commit", content: "x" } },
    { what: "a hook in other letters", edit: { path: "sub/.GIT/config", content: "x" } },
    { what: "a new link to the outside", edit: { path: "new", link: "../outside" } },
    { what: "a replacement of what is not there", edit: { path: "file", replace: ["absent", "x"] } },
  ])("are refused for $what, and fail the run", async ({ edit }) => {
    using outside = tempFolder();
    using folder = tempFolder();
    writeFileSync(join(outside.dir, "file"), "kept");
    writeFileSync(join(folder.dir, "file"), "kept");
    symlinkSync(outside.dir, join(folder.dir, "out"));
    symlinkSync(join(outside.dir, "file"), join(folder.dir, "secret"));
    symlinkSync(join(outside.dir, "none"), join(folder.dir, "dangling"));
    symlinkSync(".git", join(folder.dir, "repo"));
    const agent = scriptedAgent({ steps: [{ answer: "done", edits: [{ path: "first", content: "x" }, edit] }] });
    const run = await agent.run(ask("fixer", folder.dir), never);
    expect(run).toMatchObject({
      status: "failed",
      text: "",
      error: expect.stringContaining("an edit of the script failed"),
    });
    expect(readFileSync(join(outside.dir, "file"), "utf8")).toBe("kept");
    expect(existsSync(join(outside.dir, "none"))).toBe(false);
    expect(existsSync(join(folder.dir, ".git"))).toBe(false);
  });
});

describe("a script file", () => {
  const load = async (content: string) => {
    using folder = tempFolder();
    writeFileSync(join(folder.dir, "s.json"), content);
    return await loadScript(join(folder.dir, "s.json"));
  };

  test("is read with all that a step can hold", async () => {
    const script = {
      name: "n",
      model: "m",
      repeatLast: true,
      steps: [
        { role: "fixer", answer: "a", end: "hang", delayMs: 5, usage: { inputTokens: 1 }, error: "e" },
        { rateLimited: { times: 3, retryAfterMs: 1.5 } },
        { rateLimited: {} },
        {
          answer: { any: [1] },
          edits: [
            { path: "p", replace: ["a", "b"] },
            { path: "q", delete: true },
            { path: "r", content: "" },
          ],
        },
      ],
    };
    expect(await load(JSON.stringify(script))).toEqual(script);
  });

  test.for([
    ["{", "it is not JSON"],
    ["[]", "script must be an object"],
    ["{}", 'script needs the key "steps"'],
    ['{"steps":{}}', "script.steps must be a list"],
    ['{"steps":[],"step":1}', 'script has no key "step"'],
    ['{"steps":[{"role":"boss"}]}', "script.steps[0].role must be"],
    ['{"steps":[{},{"end":"done"}]}', "script.steps[1].end must be"],
    ['{"steps":[{"answer":7}]}', "script.steps[0].answer must be a string"],
    ['{"steps":[{"delayMs":-1}]}', "script.steps[0].delayMs must be a number from 0 on"],
    ['{"steps":[{"usage":{"inputTokens":1.5}}]}', "script.steps[0].usage.inputTokens must be a whole number"],
    ['{"steps":[{"rateLimited":{"times":-1}}]}', "script.steps[0].rateLimited.times must be a number from 0 on"],
    ['{"steps":[{"rateLimited":429}]}', "script.steps[0].rateLimited must be an object"],
    ['{"steps":[{"edits":[{"path":"a"}]}]}', "script.steps[0].edits[0] needs exactly one of"],
    ['{"steps":[{"edits":[{"path":"a","content":"","append":""}]}]}', "script.steps[0].edits[0] needs exactly one of"],
    ['{"steps":[{"edits":[{"path":"a","replace":["x"]}]}]}', "script.steps[0].edits[0].replace must be a pair"],
    ['{"steps":[{"edits":[{"path":"a","delete":false}]}]}', "script.steps[0].edits[0].delete can only be true"],
    ['{"steps":[{"edits":[{"content":"x"}]}]}', 'script.steps[0].edits[0] needs the key "path"'],
  ] as const)("%s is refused: %s", async ([json, message]) => {
    await expect(load(json)).rejects.toThrow(message);
  });

  test("that does not exist is refused with its path", async () => {
    await expect(loadScript("/no/such.json")).rejects.toThrow("/no/such.json: the script cannot be read");
  });
});
