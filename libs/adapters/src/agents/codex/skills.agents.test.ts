import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startScriptedModel } from "@anneal/scripted-model";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { makeRepo } from "../../../../git/src/testing/make-repo.ts";
import type { Agent } from "../../ports.ts";
import { withoutOwnKeys } from "../../testing/real-env.ts";
import type { AgentSetup } from "../cli/cli-agent.ts";
import { codexReviewAgent } from "../codex-review/review-run.ts";
import { codexAgent } from "./index.ts";
import { mockedCodex } from "./testing/mocked-codex.ts";

let restore = () => {};
beforeAll(() => {
  restore = withoutOwnKeys();
});
afterAll(() => restore());

const skill = (name: string) => `---\nname: ${name}\ndescription: DESCRIBED ${name}\n---\nORDERED ${name}\n`;

test.for<{ what: string; make: (setup: AgentSetup, base: string) => Agent }>([
  { what: "codex as reviewer", make: codexAgent },
  { what: "codex review", make: (setup, base) => codexReviewAgent(base, setup) },
])("$what gets nothing of the repository's own skills, even where the prompt names them", async ({ make }) => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "anneal-codex-skills-")));
  onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 3 }));
  using repo = makeRepo({ "sum.ts": "1\n" });
  const base = repo.git("rev-parse", "HEAD");
  repo.commit({
    ".agents/skills/lenient/SKILL.md": skill("lenient"),
    ".codex/skills/kind/SKILL.md": skill("kind"),
    "docs/hidden/SKILL.md": skill("hidden"),
    ".agents/skills/hidden": { link: "../../docs/hidden" },
  });
  await using model = await startScriptedModel({ steps: [{ text: "No issues found." }] });
  const agent = make(mockedCodex(model.url, home), base);
  const prompt = "Judge this: $lenient [$lenient](.agents/skills/lenient/SKILL.md) and $kind and $hidden.\n";
  await agent.run(
    { role: "reviewer", prompt, cwd: repo.dir, limits: { timeoutMs: 120_000 } },
    new AbortController().signal,
  );
  expect(model.requests.length).toBeGreaterThan(0);
  expect(JSON.stringify(model.requests.map(({ body }) => body))).not.toMatch(/DESCRIBED|ORDERED/);
});
