import { describe, expect, test } from "vitest";
import { openRepo } from "../../index.ts";
import { type Files, makeRepo } from "../../testing/make-repo.ts";

const PATH = ".automaker/settings.json";

describe("a path comes from the repository", () => {
  test.for<{ what: string; committed: Files; after?: string[][]; write?: Files; holds: boolean }>([
    { what: "where it is committed", committed: { [PATH]: "{}" }, holds: true },
    { what: "where it is only staged", committed: {}, write: { [PATH]: "{}" }, after: [["add", PATH]], holds: true },
    {
      what: "where it is only taken out of the index",
      committed: { [PATH]: "{}" },
      after: [["rm", "--quiet", "--cached", PATH]],
      holds: true,
    },
    { what: "in another case", committed: { ".Automaker/Settings.json": "{}" }, holds: true },
    { what: "where its folder is a link", committed: { ".automaker": { link: "evil" }, "evil/x": "" }, holds: true },
    { what: "and not where only others in its folder are", committed: { ".automaker/context/a.md": "" }, holds: false },
    { what: "and not where git does not know it", committed: { a: "" }, write: { [PATH]: "{}" }, holds: false },
    {
      what: "and not where it is ignored",
      committed: { ".gitignore": ".automaker/\n" },
      write: { [PATH]: "{}" },
      holds: false,
    },
  ])("$what", async ({ committed, write = {}, after = [], holds }) => {
    using repo = makeRepo(committed);
    repo.write(write);
    for (const args of after) repo.git(...args);
    expect(await (await openRepo(repo.dir)).holds(PATH)).toBe(holds);
  });

  test("where it is staged before the first commit", async () => {
    using repo = makeRepo();
    repo.write({ [PATH]: "{}" });
    const opened = await openRepo(repo.dir);
    expect(await opened.holds(PATH)).toBe(false);
    repo.git("add", PATH);
    expect(await opened.holds(PATH)).toBe(true);
  });
});

test("whether a path comes from the repository is found out anew for another index, and for another last commit", async () => {
  using repo = makeRepo({ a: "", [PATH]: "{}" });
  const opened = await openRepo(repo.dir);
  const holds = [await opened.holds(PATH)];
  for (const args of [
    ["rm", "--quiet", "--cached", PATH],
    ["commit", "--quiet", "-m", "out"],
    ["add", PATH],
  ]) {
    repo.git(...args);
    holds.push(await opened.holds(PATH));
  }
  repo.git("reset", "--quiet", "--soft", "HEAD~1");
  repo.git("rm", "--quiet", "--cached", PATH);
  expect([...holds, await opened.holds(PATH)]).toEqual([true, true, false, true, true]);
});

describe("a change touches a path", () => {
  test.for<{ what: string; before: Files; after: Files; touches: boolean }>([
    { what: "that it adds", before: {}, after: { [PATH]: "{}" }, touches: true },
    { what: "that it edits", before: { [PATH]: "{}" }, after: { [PATH]: "{ }" }, touches: true },
    { what: "that it removes", before: { [PATH]: "{}" }, after: { [PATH]: null }, touches: true },
    { what: "that it moves away", before: { [PATH]: "{}" }, after: { [PATH]: null, moved: "{}" }, touches: true },
    { what: "by a link in its way", before: {}, after: { ".automaker": { link: "evil" } }, touches: true },
    { what: "in another case", before: {}, after: { ".AUTOMAKER/settings.json": "{}" }, touches: true },
    { what: "and not by its neighbours", before: { [PATH]: "{}" }, after: { ".automaker/b": "" }, touches: false },
  ])("$what", async ({ before, after, touches }) => {
    using repo = makeRepo({ a: "", ...before });
    const base = repo.git("rev-parse", "HEAD");
    const head = repo.commit(after);
    expect(await (await openRepo(repo.dir)).touches({ base, head }, PATH)).toBe(touches);
  });
});
