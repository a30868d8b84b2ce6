import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { POLICIES } from "@anneal/core";
import { describe, expect, onTestFinished, test } from "vitest";
import { UsageError } from "../errors/errors.ts";
import { AGENTS } from "./catalog.ts";
import { type AgentTerms, fitted } from "./fitted.ts";
import { agentNamed, agentsFor, startsPrograms } from "./named.ts";
import { checkReviewer, membersOf } from "./reviewers.ts";

describe("the agent of a name", () => {
  test.for([
    ["claude", undefined, "claude"],
    ["claude:opus", undefined, "claude"],
    ["codex", "gpt-5", "codex"],
    ["auto", "sonnet", "claude"],
    ["auto", "gpt-5", "codex"],
    ["auto", "gemini-2.5-pro", "gemini"],
    ["auto", "openrouter/some-model", "opencode"],
    ["acp:gemini --acp", undefined, "acp"],
    ["command:./agent", undefined, "command"],
    ["mine", undefined, "mine"],
    ["mine:large", undefined, "mine"],
    ["auto", "house-model", "mine"],
  ] as const)("%s with the model %s is %s", async ([named, model, name]) => {
    const terms = {
      setups: { mine: { kind: "command", command: ["/bin/mine"] } },
      modelAgents: { "house-*": "mine" },
    } as const;
    expect((await agentNamed(named, "fixer", { ...terms, setups: mutable(terms.setups) }, model)).name).toBe(name);
  });

  test("runs only in a sandbox where the user's settings want that", async () => {
    const [path, folder] = [process.env.PATH, mkdtempSync(join(tmpdir(), "anneal-empty-"))];
    onTestFinished(() => {
      process.env.PATH = path;
      rmSync(folder, { recursive: true });
    });
    process.env.PATH = folder;
    const request = { role: "fixer", prompt: "", cwd: folder, limits: { timeoutMs: 60_000 } } as const;
    const ran = async (terms: AgentTerms) => {
      const agent = await agentNamed(`command:${process.execPath} -p 1`, "fixer", terms, undefined);
      return await agent.run(request, new AbortController().signal);
    };
    expect(await ran({ sandbox: "required" })).toMatchObject({
      ...{ status: "failed", lasting: true, error: expect.stringContaining('"sandbox": "required"') },
    });
    expect((await ran({})).error ?? "").not.toContain("sandbox");
  });

  test.for([
    ["builtin", false],
    ["builtin+sarif:FILE", false],
    ["anthropic:opus", false],
    ["claude", true],
    ["builtin+command:./mine", true],
    ["mine", true],
  ] as const)("of %s starts a program: %s", ([named, starts]) => {
    expect(startsPrograms(named)).toBe(starts);
  });

  test.for([
    { named: "oracle", says: 'unknown agent "oracle" for the fixer; known: builtin, claude' },
    { named: "toString", says: 'unknown agent "toString"' },
    { named: "auto", says: 'no model is named: set "defaultModel"' },
    { named: "auto", model: "llama-9", says: 'no agent is known for the model "llama-9"' },
    { named: "openai", says: "openai is read-only and cannot be the fixer" },
    { named: "acp", says: "acp needs a command: acp:PROGRAM" },
    { named: "replay", says: "the fixer replay needs a file: replay:FILE" },
    { named: "half", says: 'agentSetup.half in the settings needs a "kind": "acp" or "command"' },
  ])("$named is refused: $says", async ({ named, model, says }) => {
    const made = agentNamed(named, "fixer", { setups: { half: { command: ["x"] } } }, model);
    await expect(made).rejects.toThrow(UsageError);
    await expect(made).rejects.toThrow(says);
  });

  const flag = "--attach=http://127.0.0.1:7813/";
  test.for<[named: string, model: string | undefined, place: string]>([
    [`opencode:${flag}`, undefined, `the reviewer "opencode:${flag}"`],
    ["claude:a b", undefined, 'the reviewer "claude:a b"'],
    [`mine:${flag}`, undefined, `the reviewer "mine:${flag}"`],
    ["opencode", flag, "the model of the work item or the settings"],
    ["auto", flag, "the model of the work item or the settings"],
    ["command:./agent", flag, "the model of the work item or the settings"],
    ["claude", "a\u0000b", "the model of the work item or the settings"],
    [`codex-review:${flag}`, undefined, "the reviewer codex-review"],
    [`builtin+opencode:${flag}`, undefined, "the reviewer"],
  ])("%j with the model %j is refused with its place and what is allowed", async ([named, model, place]) => {
    const setups: AgentTerms["setups"] = { mine: { kind: "command", command: ["/bin/mine"] } };
    const made = checkReviewer(named, { policy: POLICIES.adversarial, terms: { setups }, model });
    await expect(made).rejects.toThrow(UsageError);
    await expect(made).rejects.toThrow(place);
    await expect(made).rejects.toThrow("a model's name consists of letters, digits");
  });

  test.for(["sonnet[1m]", "anthropic/claude-opus-4.5", "meta/llama-3:free", "@cf/meta/llama", "claude-opus@20250929"])(
    "%s is taken as a model",
    async (model) => {
      expect((await agentNamed(`opencode:${model}`, "reviewer", {}, model)).name).toBe("opencode");
    },
  );

  test("whoever only reads is not offered for what writes", () => {
    expect(agentsFor("fixer", {})).not.toContain("anthropic");
    expect(agentsFor("reviewer", {})).toContain("anthropic");
    expect(agentsFor("implementer", {})).not.toContain("builtin");
    expect(agentsFor("reviewer", { setups: { mine: { kind: "acp", command: ["x"] } } })).toContain("mine");
  });

  test("every agent says in one line what it is", () => {
    for (const { about } of Object.values(AGENTS)) expect(about).toMatch(/^\S.{5,100}$/);
  });
});

describe("several reviewers in one name", () => {
  test.for([
    ["claude", ["claude"]],
    ["claude+codex", ["claude", "codex"]],
    ["builtin+claude:opus+codex-review", ["builtin", "claude:opus", "codex-review"]],
    ["scripted:/a+b/c.json+builtin", ["scripted:/a+b/c.json", "builtin"]],
    ["scripted:/a+claudette.json", ["scripted:/a+claudette.json"]],
    ["command:./x --mode a+b+mine", ["command:./x --mode a+b", "mine"]],
  ] as const)("%s", ([named, members]) => {
    expect(membersOf(named, { setups: { mine: { kind: "acp" } } })).toEqual(members);
  });
});

describe("what an agent is asked and said to cost", () => {
  const asked: unknown[] = [];
  const agent = (name: string) => ({
    name,
    capabilities: { schema: "prompted", readOnly: "none", cost: "none", streaming: "events" } as const,
    run: async (request: object) => {
      asked.push(request);
      return { status: "finished" as const, text: "", usage: { inputTokens: 1_000_000, outputTokens: 0 } };
    },
  });
  const request = { role: "reviewer", prompt: "", cwd: "/", limits: { timeoutMs: 1 } } as const;
  const { signal } = new AbortController();

  test.for([
    { what: "the item's model", name: "codex", of: undefined, item: "gpt-5", model: "gpt-5" },
    { what: "no model of another house", name: "claude", of: undefined, item: "gpt-5", model: undefined },
    { what: "the model in its own name", name: "claude", of: "opus", item: "sonnet", model: "opus" },
  ])("it is asked for $what", async ({ name, of, item, model }) => {
    asked.length = 0;
    await fitted(agent(name), of, {}).run({ ...request, model: item }, signal);
    expect(asked).toEqual([expect.objectContaining(model === undefined ? { role: "reviewer" } : { model })]);
    expect("model" in (asked[0] as object)).toBe(model !== undefined);
  });

  test("its cost follows the prices, and its silence the settings", async () => {
    asked.length = 0;
    const terms = { prices: { "gpt-5": { input: 7, output: 1 } }, setups: { codex: { silenceMs: 5_000 } } };
    const run = await fitted(agent("codex"), "gpt-5", terms).run(request, signal);
    expect(run.usage).toMatchObject({ costUsd: 7, costEstimated: true });
    expect(asked[0]).toMatchObject({ limits: { timeoutMs: 1, silenceMs: 5_000 } });
  });
});

test("a script is loaded when it is named, and a bad one is told", async () => {
  const folder = mkdtempSync(join(tmpdir(), "anneal-named-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "s.json"), '{"steps": []}');
  expect((await agentNamed(`scripted:${folder}/s.json`, "reviewer", {}, undefined)).name).toBe("scripted");
  await expect(agentNamed(`scripted:${folder}/t.json`, "reviewer", {}, undefined)).rejects.toThrow(UsageError);
});

function mutable(setups: { mine: { kind: "command"; command: readonly string[] } }) {
  return { mine: { ...setups.mine, command: [...setups.mine.command] } };
}
