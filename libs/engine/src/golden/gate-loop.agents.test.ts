import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { type ScriptedModel, type ScriptStep, startScriptedModel, type ToolCall } from "@anneal/scripted-model";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { mockedCodex } from "../../../adapters/src/agents/codex/testing/mocked-codex.ts";
import { TEST_KEY } from "../../../adapters/src/testing/real-agent-suite.ts";
import { realCli } from "../../../adapters/src/testing/real-clis.ts";
import { withoutOwnKeys } from "../../../adapters/src/testing/real-env.ts";
import { UNRESERVED } from "../review/testing/decision-text.ts";
import * as given from "./testing/login-feature.ts";
import { sampleProject } from "./testing/sample-project.ts";

interface Player {
  agent: "claude" | "codex";
  model: string;
  /** What a user's shell has set, besides the program on the PATH. */
  env(url: string, home: string): Readonly<Record<string, string>>;
  write(path: string, content: string): ToolCall[];
  edit(path: string, before: string, now: string): ToolCall[];
}

const CLAUDE: Player = {
  agent: "claude",
  model: "claude-sonnet-4-5",
  env: (url, home) => ({
    HOME: home,
    CLAUDE_CONFIG_DIR: join(home, "claude"),
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: TEST_KEY,
  }),
  write: (path, content) => [{ name: "Write", input: { file_path: path, content } }],
  edit: (path, before, now) => [
    { name: "Read", input: { file_path: path } },
    { name: "Edit", input: { file_path: path, old_string: before, new_string: now } },
  ],
};

const CODEX: Player = {
  agent: "codex",
  model: "gpt-5.5",
  env: (url, home) => mockedCodex(url, home).env ?? {},
  write: (path, content) => [
    { name: "apply_patch", input: patch(`*** Add File: ${path}\n${content.trimEnd().replace(/^/gm, "+")}`) },
  ],
  edit: (path, before, now) => [
    { name: "apply_patch", input: patch(`*** Update File: ${path}\n@@\n-${before}\n+${now}`) },
  ],
};

function patch(body: string): string {
  return `*** Begin Patch\n${body}\n*** End Patch\n`;
}

describe("a feature goes through the gate with a real agent in every part", () => {
  let restore = () => {};
  beforeAll(() => {
    restore = withoutOwnKeys();
  });
  afterAll(() => restore());

  test.for([CLAUDE, CODEX])("$agent: rejected, fixed, approved, and every commit is ours", async (player) => {
    const { agent } = player;
    const [wrong, right] = ["  return true;", "  return text.length >= 8;"];
    const validator = "src/auth/validator.js";
    const model = await modelFor(player, [
      ...calls(
        player.write(
          validator,
          `// Whether a password may be used.\nexport function isPassword(text) {\n${wrong}\n}\n`,
        ),
      ),
      { text: "Added the validator." },
      { text: given.reject.answer },
      ...calls(player.edit(validator, wrong, right)),
      { text: "The validator now asks for eight characters." },
      { text: given.approve.answer },
      { structured: { rulings: [{ finding: 1, ruling: "fixed", evidence: right }] } },
      { structured: UNRESERVED },
    ]);
    const project = await sampleProject({ files: given.FILES });
    const id = await project.add({ ...given.FEATURE, model: player.model }, { steps: [] });
    const cast = { implementer: agent, reviewer: agent, fixer: agent };
    const { settled, broken } = await project.run([id], { cast });
    expect({ broken: [...broken], troubles: project.troubles }).toEqual({ broken: [], troubles: [] });
    expect(settled.get(id)).toMatchObject({ stage: "ended", outcome: "passed" });
    expect(model.stepsLeft()).toBe(0);

    expect(project.feature(id).codeReviewSpec).toMatchObject({
      status: "approved",
      iterations: [{ status: "rejected" }, { status: "approved", reviewedByModel: player.model }],
    });
    const [branch = ""] = project.repo.git("branch", "--list", "feature/*", "--format=%(refname:short)").split("\n");
    expect(project.repo.git("show", `${branch}:${validator}`)).toContain(right);
    expect(project.repo.git("log", "--format=%s", `main..${branch}`)).toBe(
      "feat: Add user authentication\nfeat: Add user authentication",
    );
  });
});

function calls(tools: ToolCall[]): ScriptStep[] {
  return tools.map((call) => ({ tools: [call] }));
}

/** A model at the end of what a user's environment says about it. */
async function modelFor({ agent, env }: Player, steps: ScriptStep[]): Promise<ScriptedModel> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "anneal-gate-home-")));
  const model = await startScriptedModel({ steps });
  onTestFinished(async () => {
    await model.close();
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  });
  const path = [dirname(realCli(agent)), process.env.PATH].join(delimiter);
  for (const [name, value] of Object.entries({ ...env(model.url, home), PATH: path })) vi.stubEnv(name, value);
  return model;
}
