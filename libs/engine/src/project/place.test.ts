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

test.for([
  { what: "its journal", files: { ".automaker/anneal.db-wal": "w\n" }, path: ".automaker/anneal.db-wal" },
  { what: "its lock", files: { ".automaker/anneal.lock": "l\n" }, path: ".automaker/anneal.lock" },
  { what: "a link", files: { ".automaker": { link: "data" }, "data/x": "x\n" }, path: ".automaker" },
])("so is one that comes through $what, which is named", async ({ files, path }) => {
  using repo = makeRepo({ "a.txt": "a\n", ...files });
  await expect(projectAt(repo.dir)).rejects.toMatchObject({
    kind: "tracked",
    message: expect.stringContaining(`git rm --cached ${path}.`),
  });
});

test("so is one that lies in the repository where a link leads that does not", async () => {
  using repo = makeRepo({ "a.txt": "a\n", "data/anneal.db": "theirs\n" });
  repo.write({ ".automaker": { link: "data" } });
  await expect(projectAt(repo.dir)).rejects.toThrow("git rm --cached data/anneal.db.");
});

test("a log beside what is tracked is the project's own", async () => {
  using repo = makeRepo({ "a.txt": "a\n", ".automaker/settings.json": "{}\n" });
  repo.write({ ".automaker/anneal.db": "ours\n" });
  expect((await projectAt(repo.dir)).root).toBe(repo.dir);
});
