import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ScriptStep, startScriptedModel } from "@anneal/scripted-model";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { mockedCodex } from "../../../adapters/src/agents/codex/testing/mocked-codex.ts";
import { TEST_KEY } from "../../../adapters/src/testing/real-agent-suite.ts";
import { realCli } from "../../../adapters/src/testing/real-clis.ts";
import { withoutOwnKeys } from "../../../adapters/src/testing/real-env.ts";
import { signed } from "../../../core/src/read/testing/sign-off.ts";
import * as given from "./testing/sample-units.ts";

interface Reviewing {
  provider: "codex" | "claude";
  env(url: string, home: string): Readonly<Record<string, string>>;
  /** What its model says where nobody is greeted. */
  finds: ScriptStep[];
  agent: string;
}

const TITLE = "Greets undefined where there is no name";

const REVIEWERS: Reviewing[] = [
  {
    provider: "codex",
    agent: "codex-review",
    env: (url, home) => mockedCodex(url, home).env ?? {},
    finds: [
      { tools: [{ name: "exec_command", input: { cmd: "git diff HEAD~1" } }] },
      {
        text: JSON.stringify({
          findings: [
            {
              title: `[P2] ${TITLE}`,
              body: "Fall back to a word.",
              confidence_score: 0.9,
              priority: 2,
              code_location: { absolute_file_path: "src/greet.js", line_range: { start: 1, end: 1 } },
            },
          ],
          overall_correctness: "patch is incorrect",
          overall_explanation: "One thing is missing.",
          overall_confidence_score: 0.9,
        }),
      },
    ],
  },
  {
    provider: "claude",
    agent: "claude",
    env: (url, home) => ({
      HOME: home,
      CLAUDE_CONFIG_DIR: join(home, "claude"),
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: TEST_KEY,
    }),
    // Its schema wants every key, whatever the decision is.
    finds: [{ structured: { ...given.issues.answer, sign_off: { ...signed, decision: "rejected" } } }],
  },
];

describe("a unit is reviewed by the real program that .choo.yaml names", () => {
  let restore = () => {};
  beforeAll(() => {
    restore = withoutOwnKeys();
  });
  afterAll(() => restore());

  test.for(REVIEWERS)(
    "$provider: its issues go back to whoever did the tasks, and the unit merges",
    async (reviewing) => {
      const { provider, agent, finds, env } = reviewing;
      const home = realpathSync(mkdtempSync(join(tmpdir(), "anneal-unit-home-")));
      const model = await startScriptedModel({ steps: finds });
      onTestFinished(async () => {
        await model.close();
        rmSync(home, { recursive: true, force: true, maxRetries: 3 });
      });
      const project = await given.unitsProject({
        steps: { greeting: [given.implement, given.fix] },
        choo: `code_review:\n  provider: ${provider}\n  command: ${realCli(provider)}\n`,
      });
      for (const [name, value] of Object.entries(env(model.url, home))) vi.stubEnv(name, value);
      const { settled, broken } = await project.runUnits();
      expect({ broken: [...broken], troubles: project.troubles }).toEqual({ broken: [], troubles: [] });
      expect(settled.get("unit:greeting")).toMatchObject({ stage: "ended", outcome: "merged" });
      expect(model.stepsLeft()).toBe(0);

      const notifications = await project.notifications();
      expect(notifications.flatMap(({ seed }) => seed.map(({ type }) => type))).toEqual([
        "codereview.started",
        "codereview.issues_found",
        "codereview.fix_applied",
      ]);
      expect(notifications.find(({ event }) => event.type === "reviewed")?.event).toMatchObject({
        by: { agent },
        report: { findings: [{ title: TITLE, file: "src/greet.js", line: 1, severity: "medium" }] },
      });
      expect(project.repo.git("show", "main:src/greet.js")).toContain('name ?? "nobody"');
    },
  );
});
