import type { Repo } from "@anneal/git";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../../../../system/src/testing/temp-folder.ts";
import type { ProjectStore } from "../../history/store-log.ts";
import { takenBranches } from "./taking-branches.ts";

interface Loop {
  key: string;
  branch: string;
  into?: string;
  stage?: string;
}

/** A project whose remote's default branch is `develop`, with these loops in its log. */
async function asked(branch: string, { loops = [], settings = "{}" }: { loops?: Loop[]; settings?: string }) {
  using folder = tempFolder();
  folder.write(".automaker/settings.json", settings);
  const repo = { root: folder.dir, defaultBranch: async () => "origin/develop" } as unknown as Repo;
  const rows = loops.map(({ key, branch: own, into, stage = "ended" }, at) => {
    const [kind, item] = key.split(":");
    return { kind, item, loop: `${at}`, stage, branch: own, into, summary: { branch: own } };
  });
  const store = {
    loops: () => rows.filter(({ stage }) => stage !== "ended"),
    items: () => rows,
    branches: () => rows,
    targets: () => rows.flatMap(({ into = [] }) => into),
  } as unknown as ProjectStore;
  return (await takenBranches({ repo, store }))(branch, "story:1");
}

const TAKES = "which other work is merged into";

describe("the branch of an item", () => {
  test.for<{ what: string; branch: string; loops?: Loop[]; settings?: string; says: string | null }>([
    { what: "the default branch", branch: "develop", says: `develop, ${TAKES}` },
    { what: "the default branch in capitals", branch: "Develop", says: `Develop, ${TAKES}` },
    {
      what: "a full name",
      branch: "refs/heads/main",
      says: "refs/heads/main, which is not a short branch name",
    },
    { what: "main, where another is the default", branch: "main", says: `main, ${TAKES}` },
    {
      what: "the base of pull requests",
      branch: "next",
      settings: '{"version":1,"pullRequests":{"base":"next"}}',
      says: `next, ${TAKES}`,
    },
    {
      what: "one that units are merged into",
      branch: "feature-x",
      loops: [{ key: "unit:u", branch: "unit/u", into: "feature-x" }],
      says: `feature-x, ${TAKES}`,
    },
    {
      what: "the branch of an epic",
      branch: "epic/limits",
      loops: [{ key: "ticket:limits/a", branch: "ticket/a" }],
      says: `epic/limits, ${TAKES}`,
    },
    {
      what: "one on which another is under way",
      branch: "shared",
      loops: [{ key: "story:2", branch: "shared", stage: "waiting-for-human" }],
      says: "shared, which story:2 is working on",
    },
    {
      what: "one whose other story is over",
      branch: "shared",
      loops: [{ key: "story:2", branch: "shared" }],
      says: null,
    },
    {
      what: "its own, on which another one was built",
      branch: "story-1",
      loops: [
        { key: "story:1", branch: "story-1", into: "develop", stage: "waiting-for-human" },
        { key: "story:2", branch: "story-2", into: "story-1" },
      ],
      says: null,
    },
    { what: "one that nobody knows", branch: "story-1", says: null },
  ])("$what", async ({ branch, says, ...given }) => {
    expect(await asked(branch, given)).toBe(says);
  });
});
