import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { standIn } from "../../../adapters/src/agents/cli/testing/stand-in.ts";
import { UNRESERVED } from "../review/testing/decision-text.ts";
import { forgeProject } from "./testing/forge-project.ts";
import { fixValidator, implementBadly } from "./testing/login-feature.ts";
import * as given from "./testing/login-review-loop.ts";

const RULINGS = { rulings: [{ finding: 1, ruling: "fixed", evidence: "The length is checked." }] };
const ANSWERS = [given.fails.answer, given.passes.answer, JSON.stringify(RULINGS), JSON.stringify(UNRESERVED)];

/** How each program would print an answer of its model. */
const PROGRAMS = [
  {
    reviewer: "claude",
    lines: (answer: string) => [
      { type: "system", subtype: "init", model: "claude-sonnet-4-5" },
      {
        ...{ type: "result", subtype: "success", is_error: false, stop_reason: "end_turn", result: "", usage: {} },
        structured_output: JSON.parse(answer),
      },
    ],
  },
  {
    reviewer: "codex",
    lines: (answer: string) => [
      { type: "thread.started", thread_id: "t" },
      { type: "item.completed", item: { type: "agent_message", text: answer } },
      { type: "turn.completed", usage: { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1 } },
    ],
  },
];

test.for(PROGRAMS)(
  "a self-review by $reviewer leaves the same results as by any other",
  async ({ reviewer, lines }) => {
    const project = await forgeProject([implementBadly, fixValidator]);
    const { id } = project;
    onThePath(
      reviewer,
      ANSWERS.map((answer) => lines(answer).map((line) => JSON.stringify(line))),
    );
    const { settled } = await project.run([id], { cast: { reviewer } });
    expect(settled.get(id)).toMatchObject({ stage: "awaiting-feedback" });
    expect(project.session().iterations).toMatchObject([
      {
        verdict: "needs_work",
        summary: "Passwords of any length get in.",
        issues: [{ severity: "high", category: "security", file: "src/auth/validator.js", lineStart: 3 }],
      },
      { verdict: "pass", issues: [] },
    ]);
  },
);

/** Puts a program of this name, whose n-th run prints the n-th of these, in front of all others. */
function onThePath(name: string, runs: string[][]): void {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "anneal-provider-")));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
    vi.unstubAllEnvs();
  });
  const bin = join(folder, "bin");
  mkdirSync(bin);
  const command = standIn(
    folder,
    runs.map((stdout) => ({ stdout })),
  ).map((part) => `'${part}'`);
  writeFileSync(join(bin, name), `#!/bin/sh\nexec ${command.join(" ")} "$@"\n`);
  chmodSync(join(bin, name), 0o755);
  // Its state, which it may write from inside of a box.
  vi.stubEnv("CODEX_HOME", folder);
  vi.stubEnv("CLAUDE_CONFIG_DIR", folder);
  vi.stubEnv("PATH", [bin, process.env.PATH].join(delimiter));
}
