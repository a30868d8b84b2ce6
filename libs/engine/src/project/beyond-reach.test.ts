import { expect, test } from "vitest";
import { own, project } from "./testing/project.ts";

test("work inside a submodule is told and waits for a person: the rest does not pass without it", async () => {
  const edits = [
    { path: "auth.js", content: "ok = true;\n" },
    { path: "sub/lib.js", content: "lost = true;\n" },
  ];
  const repo = project({ a: { steps: [{ role: "implementer", answer: "Done.", edits }] } });
  repo.git("update-index", "--add", "--cacheinfo", `160000,${repo.git("rev-parse", "HEAD")},sub`);
  repo.git("commit", "--quiet", "-m", "a submodule");
  expect(await (await own(repo)).run("a")).toMatchObject({
    stage: "waiting-for-human",
    reason: "step-broke",
    detail: expect.stringContaining("the agent changed files inside the submodule sub, which a loop cannot commit"),
  });
});
