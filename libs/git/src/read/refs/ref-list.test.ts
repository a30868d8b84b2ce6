import { expect, test } from "vitest";
import { openRepo } from "../../index.ts";
import { makeRepo, type TestRepo } from "../../testing/make-repo.ts";

test.for<{ what: string; act: (repo: TestRepo) => void }>([
  { what: "loose", act: () => {} },
  { what: "packed", act: (repo) => repo.git("pack-refs", "--all") },
  {
    what: "packed, and one of them moved on since",
    act: (repo) => {
      repo.git("pack-refs", "--all");
      repo.commit({ a: "2" });
    },
  },
  {
    what: "in part the name of another",
    act: (repo) => repo.git("symbolic-ref", "refs/heads/also", "refs/heads/main"),
  },
  { what: "gone", act: (repo) => repo.git("update-ref", "-d", "refs/heads/x/y") },
])("branches are listed as git lists them where they are $what", async ({ act }) => {
  using repo = makeRepo({ a: "1" });
  for (const name of ["x/y", "x-y", "Z", "ä"]) repo.git("branch", name);
  act(repo);
  const listed = repo.git("for-each-ref", "--format=%(refname:lstrip=2) %(objectname)", "refs/heads/");
  const found = await (await openRepo(repo.dir)).refs("refs/heads/");
  expect(found.map(({ name, at }) => `${name} ${at}`)).toEqual(listed.split("\n"));
});

test("a folder without refs has none", async () => {
  using repo = makeRepo({ a: "1" });
  expect(await (await openRepo(repo.dir)).refs("refs/anneal/")).toEqual([]);
});
