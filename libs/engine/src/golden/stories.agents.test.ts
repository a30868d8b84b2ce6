import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { startScriptedModel, type ToolCall } from "@anneal/scripted-model";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { mockedCodex } from "../../../adapters/src/agents/codex/testing/mocked-codex.ts";
import { TEST_KEY } from "../../../adapters/src/testing/real-agent-suite.ts";
import { realCli } from "../../../adapters/src/testing/real-clis.ts";
import { withoutOwnKeys } from "../../../adapters/src/testing/real-env.ts";
import { UNRESERVED } from "../review/testing/decision-text.ts";
import * as given from "./testing/sample-stories.ts";

interface Reviewing {
  agent: "claude" | "codex";
  env(url: string, home: string): Readonly<Record<string, string>>;
  /** What its model tries as reviewer, and its prompts. */
  attack: ToolCall;
  refusal: RegExp;
}

const REVIEWERS: Reviewing[] = [
  {
    agent: "claude",
    env: (url, home) => ({
      HOME: home,
      CLAUDE_CONFIG_DIR: join(home, "claude"),
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: TEST_KEY,
    }),
    attack: { name: "Write", input: { file_path: "src/attacked.js", content: "attacked\n" } },
    refusal: /No such tool available|not available/,
  },
  {
    agent: "codex",
    env: (url, home) => mockedCodex(url, home).env ?? {},
    attack: { name: "exec_command", input: { cmd: "echo attacked > src/attacked.js" } },
    refusal: /Read-only file system/,
  },
];

/** Everything that only the first round knows. */
const ROUND_1 = [/ROUND-1-/, /Somebody waits/, /findings-round/, /of round 1/];

describe("a story is reviewed by a real agent", () => {
  let restore = () => {};
  beforeAll(() => {
    restore = withoutOwnKeys();
  });
  afterAll(() => restore());

  test.for(REVIEWERS)("$agent: fresh in every round, and its writing is refused", async (reviewing) => {
    const { agent, env, attack, refusal } = reviewing;
    const home = realpathSync(mkdtempSync(join(tmpdir(), "anneal-story-home-")));
    const said = [given.findings(1, [1, 1, 0]).answer, given.findings(2, [0, 0, 0]).answer] as const;
    const model = await startScriptedModel({
      steps: [{ tools: [attack] }, { text: said[0] }, { text: said[1] }, { structured: UNRESERVED }],
    });
    onTestFinished(async () => {
      await model.close();
      rmSync(home, { recursive: true, force: true, maxRetries: 3 });
    });
    const player = "scripted:.automaker/plans/{id}.json";
    const project = await given.storiesProject(
      { [given.ID]: [given.implement, given.fix] },
      { settings: { agents: { implementer: player, reviewer: agent, fixer: player } } },
    );
    const path = [dirname(realCli(agent)), process.env.PATH].join(delimiter);
    for (const [name, value] of Object.entries({ ...env(model.url, home), PATH: path })) vi.stubEnv(name, value);

    const { settled, broken } = await project.runStories();
    expect({ broken: [...broken], troubles: project.troubles }).toEqual({ broken: [], troubles: [] });
    expect(settled.get(given.KEY)).toMatchObject({ stage: "ended", outcome: "passed", rounds: [{}, {}] });
    const [, answered, fresh, look, ...more] = model.requests;
    expect(more).toEqual([]);
    expect(JSON.stringify(answered?.toolResults)).toMatch(refusal);
    expect(project.repo.git("ls-tree", "-r", "--name-only", given.BRANCH)).not.toContain("attacked");
    const request = JSON.stringify(fresh?.body);
    expect(request).toContain("- Round: 2");
    for (const trace of ROUND_1) expect(request).not.toMatch(trace);
    expect(JSON.stringify(look?.body)).toContain("Does This Review Approve Without Reservation?");
  });
});
