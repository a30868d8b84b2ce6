import { openRepo } from "@anneal/git";
import { expect, test } from "vitest";
import { makeRepo, type TestRepo } from "../../../../git/src/testing/make-repo.ts";
import { OTHER as SECRET } from "../../project/testing/leaky.ts";
import { searchOf } from "./commit-secrets.ts";

/** What a search of all commits since the first one comes to. */
async function searched(repo: TestRepo) {
  const range = { base: repo.git("rev-list", "--max-parents=0", "HEAD"), head: repo.git("rev-parse", "HEAD") };
  const search = searchOf(await openRepo(repo.dir), range, new AbortController().signal);
  const { secrets, notes } = await search.foundIn({ findings: [], rounds: [] });
  return { said: secrets.map(({ finding }) => finding.title), notes };
}

test("a file that is too large to be searched is named, also where a later commit removes it", async () => {
  using repo = makeRepo({ a: "a\n" });
  const large = repo.commit({ "big.js": `${"a\n".repeat(3_000_000)}const key = "${SECRET}";\n` });
  repo.commit({ "big.js": null, a: "b\n" });
  const { said, notes } = await searched(repo);
  expect(said).toEqual([]);
  expect(notes).toEqual([expect.stringContaining(`big.js in ${large.slice(0, 12)}`)]);
});

test.for([
  { what: "name", author: `${SECRET} <ada@example.com>` },
  { what: "address", author: `Ada <${SECRET}>` },
])("a secret as the $what of an author is found", async ({ author }) => {
  using repo = makeRepo({ a: "a\n" });
  repo.write({ a: "b\n" });
  repo.git("commit", "--quiet", "--all", "--message", "change", "--author", author);
  const { said, notes } = await searched(repo);
  expect(said).toEqual([
    expect.stringMatching(/^A GitHub token is in the name or address of the author or committer of [0-9a-f]{12}$/),
  ]);
  expect(JSON.stringify([said, notes])).not.toContain(SECRET);
});

test("ordinary people are none", async () => {
  using repo = makeRepo({ a: "a\n" });
  repo.write({ a: "b\n" });
  const author = "dependabot[bot] <49699333+dependabot[bot]@users.noreply.github.com>";
  repo.git("commit", "--quiet", "--all", "--message", "change", "--author", author);
  expect(await searched(repo)).toEqual({ said: [], notes: [] });
});
