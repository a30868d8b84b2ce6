import { renameSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openRepo } from "../../index.ts";
import { makeRepo } from "../../testing/make-repo.ts";

const text = "one\ntwo\nthree\nfour\nfive\n";

test("a diff between whole ids is made once, and gives files, regions, renames and its text from memory; names are looked up again", async () => {
  using repo = makeRepo({ a: "1\n", old: text, huge: "h\n", 'é \t"q': "b\n" });
  const base = repo.git("rev-parse", "HEAD");
  const head = repo.commit({ a: "2\n", old: null, new: text, 'é \t"q': { link: "a" }, bytes: Buffer.from([0]) });
  const large = repo.commit({ huge: "a line of text\n".repeat(40_000) });
  const opened = await openRepo(repo.dir);
  const paths = async (from: string, to: string) => {
    const found: string[] = [];
    for await (const { path } of opened.changedFiles({ base: from, head: to, headKind: "commit" })) found.push(path);
    return found;
  };
  const patch = await opened.patch({ base, head });
  const before = { regions: await opened.touchedRegions(base, head), paths: await paths(base, head) };
  expect(await paths(head, large)).toEqual(["huge"]);
  for await (const _ of opened.changedFiles({ base, head: large, headKind: "commit" })) break;
  renameSync(join(repo.dir, ".git/objects"), join(repo.dir, ".git/objects-away"));
  expect(await opened.touchedRegions(base, head)).toEqual(before.regions);
  expect(await paths(base, head)).toEqual(before.paths);
  expect(await opened.patch({ base, head })).toBe(patch);
  expect((await opened.moves(base, head, () => false)).renames).toEqual({ old: "new" });
  await expect(opened.patch({ base: "main~2", head: "main~1" }), "by name").rejects.toThrow();
  await expect(paths("main~2", "main~1"), "by name").rejects.toThrow();
  await expect(paths(head, large), "too large").rejects.toThrow();
  await expect(paths(base, large), "not seen to its end").rejects.toThrow();
});
