import { expect, test } from "vitest";
import { openRepo } from "../../index.ts";
import { makeRepo } from "../../testing/make-repo.ts";

test("every commit comes with its message, then its files with the lines that it adds, whatever they hold", async () => {
  using repo = makeRepo({ a: "1\n" });
  const base = repo.git("rev-parse", "HEAD");
  const message = "diff --git a/x b/x\n\ncommit 1234\n@@ -1 +1 @@\n  -indented\n\tend";
  repo.write({ a: "2\ncommit 5678\n M\n", b: "diff --git a/y b/y\n" });
  repo.git("add", "--all");
  repo.git("commit", "--quiet", "--message", message);
  const first = repo.git("rev-parse", "HEAD");
  repo.git("commit", "--quiet", "--allow-empty", "--message", "nothing");
  const second = repo.git("rev-parse", "HEAD");
  const found = [];
  for await (const part of (await openRepo(repo.dir)).historyLines(base, second)) found.push(part);
  const people = repo.git("log", "-1", "--format=%an <%ae>%n%cn <%ce>");
  const commit = { id: first, parent: base, message, people };
  expect(found.map(({ commit, file }) => ({ commit: { ...commit, message: commit.message.trimEnd() }, file }))).toEqual(
    [
      { commit, file: null },
      { commit, file: { path: "a/a b/a", added: "2\ncommit 5678\n M", isHidden: false } },
      { commit, file: { path: "a/b b/b", added: "diff --git a/y b/y", isHidden: false } },
      { commit: { id: second, parent: first, message: "nothing", people }, file: null },
    ],
  );
});
