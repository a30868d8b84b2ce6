import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startScriptedModel } from "@anneal/scripted-model";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { makeRepo } from "../../../../git/src/testing/make-repo.ts";
import { withoutOwnKeys } from "../../testing/real-env.ts";
import { codexAgent } from "./index.ts";
import { mockedCodex } from "./testing/mocked-codex.ts";

let restore = () => {};
beforeAll(() => {
  restore = withoutOwnKeys();
});
afterAll(() => restore());

test("the real codex as fixer has a temporary folder of its own, outside of the work tree, and no other", async () => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "anneal-codex-tmp-")));
  onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 3 }));
  using repo = makeRepo({ "a.txt": "1\n" });
  const command = 'f=$(mktemp -d) && echo "made $f"; touch /tmp/anneal-stray && echo strayed || echo kept off';
  await using model = await startScriptedModel({
    steps: [{ tools: [{ name: "exec_command", input: { cmd: command } }] }, { text: "Done." }],
  });
  const { status } = await codexAgent(mockedCodex(model.url, home)).run(
    { role: "fixer", prompt: "Fix it.", cwd: repo.dir, limits: { timeoutMs: 120_000 } },
    new AbortController().signal,
  );
  const seen = JSON.stringify(model.requests[1]?.toolResults);
  expect(status).toBe("finished");
  expect(seen).toMatch(/made \/.*\/tmp\/tmp\./);
  expect(seen).not.toContain(repo.dir);
  expect(seen).toContain("kept off");
  expect(repo.git("status", "--short")).toBe("");
});
