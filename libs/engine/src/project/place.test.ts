import { expect, test } from "vitest";
import { makeRepo } from "../../../adapters/src/testing/make-repo.ts";
import { projectAt } from "./place.ts";

test("a log that comes with the repository is refused, with the way out", async () => {
  using repo = makeRepo({ "a.txt": "a\n", ".automaker/anneal.db": "not ours\n" });
  await expect(projectAt(repo.dir)).rejects.toMatchObject({
    name: "StoreError",
    kind: "tracked",
    message: expect.stringContaining("git rm --cached .automaker/anneal.db"),
  });
});

test("a log beside what is tracked is the project's own", async () => {
  using repo = makeRepo({ "a.txt": "a\n", ".automaker/settings.json": "{}\n" });
  repo.write({ ".automaker/anneal.db": "ours\n" });
  expect((await projectAt(repo.dir)).root).toBe(repo.dir);
});
