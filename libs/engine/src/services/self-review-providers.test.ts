import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { standIn } from "../../../adapters/src/agents/cli/testing/stand-in.ts";
import { forgeProject } from "../golden/testing/forge-project.ts";
import * as given from "../golden/testing/login-review-loop.ts";
import { PERSON } from "../golden/testing/sample-project.ts";
import { SelfReviewService } from "./self-review-service.ts";

const ANSWER = given.fails.answer;

/** How each program would print the answer of its model. */
const PROGRAMS = [
  {
    reviewer: "claude",
    lines: [
      { type: "system", subtype: "init", model: "claude-sonnet-4-5" },
      {
        ...{ type: "result", subtype: "success", is_error: false, stop_reason: "end_turn", result: "", usage: {} },
        structured_output: JSON.parse(ANSWER),
      },
    ],
  },
  {
    reviewer: "codex",
    lines: [
      { type: "thread.started", thread_id: "t" },
      { type: "item.completed", item: { type: "agent_message", text: ANSWER } },
      { type: "turn.completed", usage: { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1 } },
    ],
  },
];

test.for(PROGRAMS)("a self-review by $reviewer becomes the same ReviewResult as by any other", async (program) => {
  const { reviewer, lines } = program;
  const project = await forgeProject([]);
  onThePath(
    reviewer,
    lines.map((line) => JSON.stringify(line)),
  );
  project.repo.write({ "src/auth/validator.js": "export const isPassword = () => true;\n" });
  const services = new SelfReviewService({
    ...{ root: project.root, gitDir: project.repo.gitDir, clock: project.clock, by: PERSON },
    cast: { reviewer },
  });
  expect(await services.reviewChanges(project.id, project.root)).toMatchObject({
    verdict: "needs_work",
    issues: [{ severity: "high", category: "security", file: "src/auth/validator.js" }],
  });
});

/** Puts a program of this name, which prints these lines, in front of all others. */
function onThePath(name: string, stdout: string[]): void {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "anneal-provider-")));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
    vi.unstubAllEnvs();
  });
  const bin = join(folder, "bin");
  mkdirSync(bin);
  const command = standIn(folder, [{ stdout }]).map((part) => `'${part}'`);
  writeFileSync(join(bin, name), `#!/bin/sh\nexec ${command.join(" ")} "$@"\n`);
  chmodSync(join(bin, name), 0o755);
  vi.stubEnv("CODEX_HOME", folder);
  vi.stubEnv("PATH", [bin, process.env.PATH].join(delimiter));
}
