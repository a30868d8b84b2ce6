import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { approve, implement, own, project } from "./testing/project.ts";

test("work inside a submodule waits for a person, an agent's is cleared away then, and what a person leaves there is refused", async () => {
  const edits = [
    { path: "auth.js", content: "ok = true;\n" },
    { path: "sub/lib.js", content: "lost = true;\n" },
  ];
  const repo = project({ a: { steps: [{ role: "implementer", answer: "Done.", edits }, implement, approve] } });
  repo.git("update-index", "--add", "--cacheinfo", `160000,${repo.git("rev-parse", "HEAD")},sub`);
  repo.git("commit", "--quiet", "-m", "a submodule");
  const runtime = await own(repo);
  expect(await runtime.run("a")).toMatchObject({
    stage: "waiting-for-human",
    reason: "step-broke",
    detail: expect.stringContaining("the agent changed files inside the submodule sub, which a loop cannot commit"),
  });
  const inside = join(`${repo.dir}.anneal`, "a/sub");
  expect(readdirSync(inside)).toEqual([]);
  writeFileSync(join(inside, "mine.js"), "mine\n");
  const word = { type: "signalled", id: "w", at: 1, signal: "retry", by: "ada" };
  runtime.store.post({ id: "w", loop: "a~1", body: { kind: "event", event: word } });
  await runtime.inbox.empty();
  await expect(runtime.run("a")).rejects.toThrow(`${inside} has uncommitted changes: commit or discard them`);
  expect(readdirSync(inside)).toEqual(["mine.js"]);
  rmSync(join(inside, "mine.js"));
  expect(await runtime.run("a")).toMatchObject({ stage: "ended", outcome: "passed" });
});
