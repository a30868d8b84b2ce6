import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openTestRepo } from "../../../../git/src/testing/make-repo.ts";
import { type ForgeProject, forgeProject, goesOn } from "../../golden/testing/forge-project.ts";
import { implementWell } from "../../golden/testing/login-feature.ts";
import * as given from "../../golden/testing/login-review-loop.ts";

const LOGIN = "src/auth/login.js";

const there = ({ repo, forge }: ForgeProject, ref: string) => repo.git("-C", forge.dir, "rev-parse", ref);
const filesOf = ({ repo, forge }: ForgeProject) => repo.git("-C", forge.dir, "ls-tree", "-r", "--name-only", "main");
const putMain = ({ repo, forge }: ForgeProject, to: string) =>
  repo.git("-C", forge.dir, "update-ref", "refs/heads/main", to);
const approve = (project: ForgeProject) => project.forge.as("alice").review(1, { state: "approved" });

interface Rewound {
  project: ForgeProject;
  /** The base before the commits that went away, and the last of these. */
  before: string;
  last: string;
}

/** Begun on a base with two more commits, which are then taken away from it. */
async function begun(steps: object[] = []): Promise<Rewound> {
  const project = await forgeProject([implementWell, given.passes, ...steps]);
  const before = there(project, "main");
  // Settings that name scripts would be refused from the repository.
  project.repo.write({ ".git/info/exclude": ".automaker/\n" });
  project.repo.commit({ "src/one.js": "1\n" }, "One");
  const last = project.repo.commit({ "src/two.js": "2\n" }, "Two");
  project.repo.git("push", "--quiet", "origin", "main");
  return { project, before, last };
}

async function opened(steps: object[] = []): Promise<Rewound> {
  const rewound = await begun(steps);
  expect(await goesOn(rewound.project)).toMatchObject({ stage: "awaiting-feedback", base: rewound.last });
  return rewound;
}

/** A conflict is resolved with a merge of the base, whose commits then go away. */
async function resolved(): Promise<Rewound> {
  const project = await forgeProject([implementWell, given.passes, given.passes]);
  await goesOn(project);
  const before = there(project, "main");
  await project.forge.as("bob").push("main", { "src/one.js": "1\n" });
  const last = await project.forge.as("bob").push("main", { [LOGIN]: "export const login = 1;\n" });
  expect(await goesOn(project)).toMatchObject({ reason: "merge-conflict" });
  const worktree = openTestRepo(join(`${project.root}.anneal`, project.id));
  worktree.git("fetch", "--quiet", "origin");
  expect(() => worktree.git("merge", "origin/main")).toThrow();
  worktree.commit({ [LOGIN]: "export const login = () => 401;\n" }, "Merge main");
  await project.say(project.id, "retry");
  expect(await goesOn(project)).toMatchObject({ stage: "awaiting-feedback", base: last });
  return { project, before, last };
}

function heldFor({ project, before, last }: Rewound) {
  const { id, repo } = project;
  const [first = ""] = repo.git("rev-list", "--reverse", last, `^${before}`).split("\n");
  const short = (commit: string) => commit.slice(0, 12);
  const detail =
    `main on origin does not contain the commits that this work is built on (2 commits, ${short(first)} to ${short(last)}), and no review covered them: ` +
    `if they belong there, git push origin ${short(last)}:main, then retry; if not, anneal take-over ${id}, ` +
    `git rebase --onto origin/main ${short(last)} feature/${id}, then run the item again, so that it is reviewed without them`;
  return { stage: "waiting-for-human", reason: "delivery-refused", detail };
}

describe("a base that was put back to before what the work was reviewed against", () => {
  test.for([
    { when: "the work began there", get: () => opened() },
    { when: "a resolution of a conflict merged it", get: resolved },
  ])("gets none of that with the merge, until somebody gives it back: $when", async ({ get }) => {
    const rewound = await get();
    const { project, before, last } = rewound;
    putMain(project, before);
    await approve(project);
    expect(await goesOn(project)).toMatchObject(heldFor(rewound));
    expect(there(project, "main")).toBe(before);
    await project.say(project.id, "retry");
    expect(await goesOn(project)).toMatchObject(heldFor(rewound));
    putMain(project, last);
    await project.say(project.id, "retry");
    expect(await goesOn(project)).toMatchObject({ outcome: "merged", base: last });
  });

  test("holds the push, too, whatever the remote-tracking ref remembers", async () => {
    const rewound = await begun();
    const { project, before } = rewound;
    putMain(project, before);
    expect(await goesOn(project)).toMatchObject(heldFor(rewound));
    expect(await project.forge.fromBranch(`feature/${project.id}`)).toEqual([]);
    expect(project.repo.git("ls-remote", "origin", `feature/${project.id}`)).toBe("");
  });

  test("is merged into where it has gone on since, with what was reviewed", async () => {
    const { project } = await opened();
    await project.forge.as("bob").push("main", { "src/three.js": "3\n" });
    await approve(project);
    expect(await goesOn(project)).toMatchObject({ outcome: "merged" });
    expect(filesOf(project)).toContain("src/three.js");
  });

  test("gets the work without that once it was taken over and rebased", async () => {
    const rewound = await opened([given.passes]);
    const { project, before, last } = rewound;
    putMain(project, before);
    await approve(project);
    expect(await goesOn(project)).toMatchObject(heldFor(rewound));
    await project.say(project.id, "take-over");
    const worktree = openTestRepo(join(`${project.root}.anneal`, project.id));
    worktree.git("rebase", "--quiet", "--onto", "origin/main", last);
    expect(await goesOn(project)).toMatchObject({ stage: "awaiting-feedback", base: before, pr: { number: 1 } });
    await approve(project);
    expect(await goesOn(project)).toMatchObject({ outcome: "merged", base: before });
    expect(filesOf(project)).toContain(LOGIN);
    expect(filesOf(project)).not.toContain("src/two.js");
  });
});

describe("a reviewed head that somebody has brought to the base with git", () => {
  /** The forge takes the head that it has seen first for another one, so that it does not see that. */
  function forget({ forge }: ForgeProject) {
    const file = join(forge.dir, "anneal-fake-forge.json");
    const state = JSON.parse(readFileSync(file, "utf8"));
    state.pulls[0].head = "0".repeat(40);
    writeFileSync(file, JSON.stringify(state));
  }

  test("is merged, at the next look", async () => {
    const { project } = await opened();
    putMain(project, there(project, `feature/${project.id}`));
    expect(await goesOn(project)).toMatchObject({ outcome: "merged", detail: expect.not.stringContaining("NOT") });
  });

  test("is merged where the forge has not seen it when its merge is asked for", async () => {
    const { project } = await opened();
    const head = there(project, `feature/${project.id}`);
    forget(project);
    putMain(project, head);
    await approve(project);
    expect(await goesOn(project)).toMatchObject({ outcome: "merged", detail: `merged as ${head}` });
    expect(there(project, "main")).toBe(head);
  });
});
