import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openRepo } from "@anneal/adapters/git";
import { workspacesOf } from "@anneal/adapters/workspace";
import { expect, test } from "vitest";
import { makeRepo } from "../../../adapters/src/testing/make-repo.ts";
import { projectAt } from "./place.ts";

test("in a workspace of a loop it is the project that the loop works for", async () => {
  using repo = makeRepo({ "src/a.txt": "a\n" });
  const workspaces = workspacesOf(await openRepo(repo.dir));
  const { root } = await workspaces.prepare({ name: "a", branch: "main", isOurs: true });
  for (const dir of [root, join(root, "src")]) expect((await projectAt(dir)).root).toBe(repo.dir);
});

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

test("all that is tracked is named in one command, which leaves a log that is one's own where it is", async () => {
  using repo = makeRepo({
    "a.txt": "a\n",
    ".automaker/anneal.db": "ours\n",
    ".automaker/anneal.db-wal": "ours\n",
    ".automaker/blobs/ab/cd": "ours\n",
    ".automaker/blobs/ef/01": "ours\n",
  });
  const refused = await projectAt(repo.dir).catch((error: Error) => error.message);
  const [command = ""] = /git rm [^.]*(?:\.automaker\S*[^.\s] ?)+/.exec(`${refused}`) ?? [];
  expect(command).toBe("git rm -r --cached .automaker/anneal.db .automaker/anneal.db-wal .automaker/blobs");
  expect(refused).toMatch(/your own stays/i);
  repo.git(...command.split(" ").slice(1));
  await expect(projectAt(repo.dir)).rejects.toThrow(/taken out of the index.*: git commit/);
  repo.git("commit", "--quiet", "-m", "no log");
  expect((await projectAt(repo.dir)).root).toBe(repo.dir);
  expect(readFileSync(join(repo.dir, ".automaker/anneal.db"), "utf8")).toBe("ours\n");
});

test("blobs that come with the repository are refused as the log is", async () => {
  using repo = makeRepo({ ".automaker/blobs/ab/cd": "theirs\n" });
  await expect(projectAt(repo.dir)).rejects.toThrow("git rm -r --cached .automaker/blobs.");
});

test("a log beside what is tracked is the project's own", async () => {
  using repo = makeRepo({ "a.txt": "a\n", ".automaker/settings.json": "{}\n" });
  repo.write({ ".automaker/anneal.db": "ours\n" });
  expect((await projectAt(repo.dir)).root).toBe(repo.dir);
});
