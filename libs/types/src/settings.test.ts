import { describe, expect, test } from "vitest";
import { LoopEvent } from "./loop/loop-event.ts";
import { describeIssues, GlobalSettings, ProjectSettings } from "./settings.ts";

function problems(value: unknown): string[] {
  const parsed = ProjectSettings.safeParse(value);
  return parsed.success ? [] : describeIssues(parsed.error);
}

describe("budgets of a day and limits of a provider", () => {
  const good = {
    budgets: { tokens: 5, perDay: { tokens: 9, costUsd: 0.5, wallMs: 60_000 } },
    providers: {
      openai: { maxConcurrency: 2 },
      anthropic: { retries: 0, backoffMs: 1_000, maxBackoffMs: 60_000 },
    },
  };

  test.for([ProjectSettings, GlobalSettings])("are kept as they are written", (schema) => {
    expect(schema.parse(good)).toEqual(good);
  });

  test.for([
    [{ budgets: { perDay: { tokens: 0 } } }, "budgets.perDay.tokens: Too small: expected number to be >0"],
    [{ budgets: { perDay: { costUsd: "5" } } }, "budgets.perDay.costUsd: expected number, received string"],
    [{ budgets: { perDay: { tokns: 5 } } }, "budgets.perDay: unknown key tokns"],
    [{ budgets: { tokns: 5 } }, "budgets: unknown key tokns"],
    [{ budgets: { perLoop: { costUsd: 5 } } }, "budgets: unknown key perLoop"],
    [{ budgets: { perDay: 5 } }, "budgets.perDay: expected object, received number"],
    [
      { providers: { openai: { maxConcurrency: 0 } } },
      "providers.openai.maxConcurrency: Too small: expected number to be >=1",
    ],
    [{ providers: { openai: { maxConcurency: 2 } } }, "providers.openai: unknown key maxConcurency"],
    [{ providers: { openai: 4 } }, "providers.openai: expected object, received number"],
    [{ providers: { openai: { retries: 1.5 } } }, "providers.openai.retries: expected int, received number"],
  ] as const)("%o is refused: %s", ([value, line]) => {
    expect(problems(value)).toEqual([line]);
  });
});

describe("names of agents and models", () => {
  const form = "an agent's name has up to 41 lower-case letters, digits and dashes, and begins with a letter";
  const ours = (name: string) => `agentSetup.${name}: ${name} is built in and needs no setup; use one of claude, `;
  const model = "a model's name, or its beginning with a * at the end, such as gpt-*";
  test.for([
    [{ agentSetup: { Mine: {} } }, `agentSetup.Mine: ${form}`],
    [{ agentSetup: { "a+b": {} } }, `agentSetup.a+b: ${form}`],
    [{ agentSetup: { "": {} } }, `agentSetup[""]: ${form}`],
    [JSON.parse('{"agentSetup":{"__proto__":{}}}'), "agentSetup.__proto__: this name cannot be used"],
    ...["builtin", "sarif", "webhook", "auto", "nobody", "scripted", "replay"].map((name): [unknown, string] => [
      { agentSetup: { [name]: {} } },
      ours(name),
    ]),
    [{ agentSetup: { "codex-review": {} } }, "agentSetup.codex-review: codex-review is set up as codex"],
    [{ modelAgents: { "": "claude" } }, `modelAgents[""]: ${model}`],
    [{ modelAgents: { "a*b": "claude" } }, `modelAgents.a*b: ${model}`],
    [JSON.parse('{"modelAgents":{"__proto__":"claude"}}'), "modelAgents.__proto__: this name cannot be used"],
    [{ modelAgents: { "*": "builtin" } }, "modelAgents.*: builtin runs no models; name an agent such as claude"],
    [{ modelAgents: { "gpt-*": "Mine" } }, `modelAgents.gpt-*: ${form}`],
    [{ sandbox: "require" }, 'sandbox: expected one of "when-possible", "required"'],
  ] as [unknown, string][])("%j is refused: %s", ([value, line]) => {
    const parsed = GlobalSettings.safeParse(value);
    const [first = "", ...more] = parsed.success ? [] : describeIssues(parsed.error);
    expect([first.slice(0, line.length), more]).toEqual([line, []]);
  });

  test("those of agents and of one's own are kept", () => {
    const good = { agentSetup: { claude: { model: "opus" }, mine: { kind: "acp" } }, modelAgents: { "*": "mine" } };
    expect(GlobalSettings.parse(good)).toEqual(good);
  });
});

test("a repository does not choose where workspaces lie", () => {
  const named = { worktree: { setup: ["npm ci"], home: "../../.vim/pack" } };
  expect(GlobalSettings.parse(named)).toEqual(named);
  const refused = ProjectSettings.safeParse(named);
  expect(refused.success ? [] : describeIssues(refused.error)).toEqual([
    "worktree.home: only your own settings can say where workspaces lie: {DATA_DIR}/settings.json",
  ]);
});

test.for([
  { paths: ["vendor/**", "**/*.min.js", "lib/theme", ".yarn/**"], wrong: 0 },
  { paths: ["/vendor/**", "./vendor", "../vendor", "!vendor", ""], wrong: 5 },
  { paths: "vendor/**", wrong: 1 },
])("of the paths that may go unread, %o, those are refused that could fit nothing", ({ paths, wrong }) => {
  expect(problems({ waivedPaths: paths })).toHaveLength(wrong);
});

test("the event of a day's cap holds its moment and what is used", () => {
  const event = { type: "capped", at: 1, scope: "day", detail: "9 of 8 tokens are used today" };
  expect(LoopEvent.parse(event)).toEqual(event);
  expect(LoopEvent.safeParse({ ...event, scope: "year" }).success).toBe(false);
});
