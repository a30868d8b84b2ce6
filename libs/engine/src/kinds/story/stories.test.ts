import { chmodSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { featureStore } from "@anneal/adapters/features";
import { openRepo } from "@anneal/git";
import { workspacesOf } from "@anneal/workspace";
import { describe, expect, onTestFinished, test } from "vitest";
import * as given from "../../golden/testing/sample-stories.ts";
import { currentLoop, historyOf } from "../../history/loop-history.ts";
import type { ProjectStore } from "../../history/store-log.ts";
import { openBlobs, openStore } from "../../log/index.ts";
import { pooledCopies } from "../../review/review-copies.ts";
import { storyKind } from "./stories.ts";

const { BRANCH, FILE, ID, KEY, storiesProject, storyText } = given;
const clean = given.findings(1, [0, 0, 0]);
const built = (name: string) => ({
  role: "implementer",
  answer: "Built.",
  edits: [{ path: `src/${name}.js`, content: `export const ${name} = 1;\n` }],
});

/** A commit on a branch that no work tree has checked out, as somebody else would make it. */
function commitOn({ repo }: given.StoriesProject, branch: string, files: Record<string, string>): string {
  const folder = join(repo.dir, ".git/elsewhere");
  repo.git("worktree", "add", "--quiet", "--force", "--detach", folder, branch);
  repo.write(Object.fromEntries(Object.entries(files).map(([path, text]) => [`.git/elsewhere/${path}`, text])));
  repo.git("-C", folder, "add", "--all");
  repo.git("-C", folder, "commit", "--quiet", "--message", "somebody else's");
  const commit = repo.git("-C", folder, "rev-parse", "HEAD");
  repo.git("worktree", "remove", "--force", folder);
  repo.git("branch", "--force", branch, commit);
  return commit;
}

const whyBroken = async (project: given.StoriesProject) => String((await project.runStories()).broken.get(KEY));

describe("where a story starts", () => {
  test("a branch with somebody's commits is never taken over unless the story says that it is ready for review", async () => {
    const project = await storiesProject({ [ID]: [clean] });
    const { repo } = project;
    project.setStatus("review");
    expect(await whyBroken(project)).toContain(`${FILE}: story ${ID} says \`status: review\`, but there is no branch`);
    repo.git("branch", BRANCH);
    expect(await whyBroken(project)).toContain("has no commits that main does not have");
    const tip = commitOn(project, BRANCH, { "src/loans.js": "1\n", [given.DOCUMENT(1)]: "old\n" });
    expect(await whyBroken(project)).toContain(`findings of earlier reviews, which a fresh reviewer must not see`);
    project.setStatus("pending");
    expect(await whyBroken(project)).toContain(`already has commits; write \`status: review\``);
    expect(repo.git("rev-parse", BRANCH)).toBe(tip);
    expect(project.status()).toBe("pending");
    repo.git("branch", "--force", BRANCH, "main");
    commitOn(project, BRANCH, { "src/loans.js": "1\n" });
    project.setStatus("review");
    expect((await project.runStories()).settled.get(KEY)).toMatchObject({ outcome: "passed" });
    const types = (await project.notifications()).map(({ event }) => event.type).filter((type) => type !== "intended");
    expect(types).toEqual(["loop-started", "reviewed", "commit-prepared", "committed", "delivery-skipped"]);
  });

  test("a story that was stopped starts afresh, and what its loop had made is kept", async () => {
    const project = await storiesProject({ [ID]: [built("first"), given.babble] });
    const { repo } = project;
    expect((await project.runStories()).settled.get(KEY)).toMatchObject({ reason: "review-broke" });
    const first = repo.git("rev-parse", BRANCH);
    expect(await project.say(KEY, "stop")).toMatchObject({ result: "taken" });
    expect(project.status()).toBe("pending");
    const old = `.automaker/stories/${ID}/story-${ID}-review-findings-round-3.md`;
    repo.write({ [old]: "of the earlier loop\n" });
    project.plan(ID, { steps: [built("second"), clean] });
    expect((await project.runStories()).settled.get(KEY)).toMatchObject({ outcome: "passed" });
    expect(repo.git("ls-tree", "-r", "--name-only", BRANCH, "src").split("\n")).toEqual([
      "src/readers.js",
      "src/second.js",
    ]);
    expect(repo.git("for-each-ref", "--format=%(objectname)", "refs/anneal/kept")).toBe(first);
    expect(existsSync(join(repo.dir, old))).toBe(false);
  });

  test("a story that is built anew numbers its rounds on: no document is lost, and the hard cap counts from there", async () => {
    const round = (number: number) => [given.findings(number, [0, 1, 0]), given.fixElsewhere(`r${number}`)];
    const project = await storiesProject({ [ID]: [built("first"), ...[1, 2, 3].flatMap(round)] });
    await project.runStories();
    await project.say(KEY, "stop");
    const folder = join(project.root, `.automaker/stories/${ID}`);
    const documents = () => readdirSync(folder).filter((name) => name.endsWith(".md"));
    const before = documents().map((name) => readFileSync(join(folder, name), "utf8"));
    project.plan(ID, { steps: [built("second"), ...[4, 5, 6].flatMap(round)] });
    const state = (await project.runStories()).settled.get(KEY);
    expect(state).toMatchObject({ reason: "rounds-exhausted", options: ["take-over", "accept", "one-more", "stop"] });
    expect(state?.rounds.map(({ number, lastAllowed }) => [number, lastAllowed])).toEqual([
      [4, 6],
      [5, 6],
      [6, 6],
    ]);
    expect(documents().sort()).toEqual([1, 2, 3, 4, 5, 6].map((n) => `story-${ID}-review-findings-round-${n}.md`));
    expect(
      documents()
        .sort()
        .slice(0, 3)
        .map((name) => readFileSync(join(folder, name), "utf8")),
    ).toEqual(before.sort());
  });

  test("branches that loops made never hide the default branch, whatever its name", async () => {
    const project = await storiesProject({ [ID]: [built("first"), given.babble] });
    project.repo.git("branch", "-m", "main", "trunk");
    expect((await project.runStories()).settled.get(KEY)).toMatchObject({ reason: "review-broke" });
    await project.say(KEY, "stop");
    project.plan(ID, { steps: [built("second"), clean] });
    expect((await project.runStories()).settled.get(KEY)).toMatchObject({ outcome: "passed" });
  });

  test("a story that was taken over goes on with its rounds: numbers, documents and the hard cap count on", async () => {
    const answers = [1, 2, 3].flatMap((round) => [given.findings(round, [1, 0, 0]), given.fixElsewhere(`r${round}`)]);
    const project = await storiesProject({ [ID]: [built("loans"), ...answers] });
    const { repo } = project;
    expect((await project.runStories()).settled.get(KEY)).toMatchObject({ reason: "rounds-exhausted" });
    await project.say(KEY, "take-over");
    project.setStatus("review");
    project.plan(ID, {
      steps: [given.findings(4, [0, 1, 0]), given.fixElsewhere("more"), given.findings(5, [0, 1, 0])],
    });
    const state = (await project.runStories()).settled.get(KEY);
    expect(state).toMatchObject({ reason: "rounds-exhausted", options: ["take-over", "accept", "stop"] });
    expect(state?.rounds.map(({ number }) => number)).toEqual([4, 5]);
    const waiting = readdirSync(join(repo.dir, `.automaker/stories/${ID}`)).filter((name) => name.endsWith(".md"));
    expect(waiting.sort()).toEqual([1, 2, 3, 4, 5].map((n) => `story-${ID}-review-findings-round-${n}.md`));
    await project.say(KEY, "take-over");
    project.setStatus("review");
    expect(await whyBroken(project)).toContain(`${FILE}: story ${ID} has had 5 rounds of review`);
  });

  test("the documents of all its rounds are committed at the end", async () => {
    const project = await storiesProject({ [ID]: [built("loans"), given.findings(1, [1, 0, 0]), { role: "fixer" }] });
    const { repo } = project;
    expect((await project.runStories()).settled.get(KEY)).toMatchObject({ reason: "stalled" });
    await project.say(KEY, "take-over");
    project.setStatus("review");
    project.plan(ID, { steps: [given.findings(2, [0, 0, 0])] });
    expect((await project.runStories()).settled.get(KEY)).toMatchObject({ outcome: "passed" });
    for (const round of [1, 2])
      expect(repo.git("show", `${BRANCH}:${given.DOCUMENT(round)}`)).toContain(`Round ${round}`);
  });

  test("a loop does not go on over commits that somebody else made meanwhile, and keeps its branch when the title changes", async () => {
    const project = await storiesProject({
      [ID]: [built("first"), given.babble, given.babble, given.babble, given.babble, clean],
    });
    const { repo } = project;
    await project.runStories();
    const head = repo.git("rev-parse", BRANCH);
    const theirs = commitOn(project, BRANCH, { "src/theirs.js": "1\n" });
    await project.say(KEY, "retry");
    const why = await whyBroken(project);
    expect(why).toContain(`the branch ${BRANCH} has moved since the loop last used it: restore it (git branch mine`);
    expect(why).toContain(`or git branch -f ${BRANCH} ${head.slice(0, 12)})`);
    expect(repo.git("rev-parse", BRANCH)).toBe(theirs);
    repo.git("branch", "--force", BRANCH, head);
    repo.write({ [FILE]: storyText(ID, "Another title altogether") });
    expect((await project.runStories()).settled.get(KEY)).toMatchObject({ outcome: "passed" });
    expect(repo.git("branch", "--list", "story-*", "--format=%(refname:short)")).toBe(BRANCH);
  });
});

test("a status that is lost is written again, and builds nothing, until the story asks for something else", async () => {
  const project = await storiesProject({ [ID]: [built("first"), clean] });
  const { repo, troubles } = project;
  expect((await project.runStories()).settled.get(KEY)).toMatchObject({ outcome: "passed" });
  const tip = repo.git("rev-parse", BRANCH);
  repo.git("checkout", "--quiet", "--", "docs");
  expect(project.status()).toBe("pending");
  project.plan(ID, { steps: [built("second"), clean] });
  expect((await project.runStories()).settled.get(KEY)).toMatchObject({ outcome: "passed" });
  expect([repo.git("rev-parse", BRANCH), project.status()]).toEqual([tip, "done"]);
  expect(troubles).toEqual([
    `${KEY}: the status in the file is restored: ${FILE}: story ${ID} is done: its last loop ended passed on ${BRANCH}; to rebuild it, change its text, or give it another \`branch\``,
  ]);
  repo.write({ [FILE]: storyText(ID, "Lend books to readers", "branch: again\n") });
  expect((await project.runStories()).settled.get(KEY)).toMatchObject({ outcome: "passed" });
  expect(repo.git("ls-tree", "-r", "--name-only", "again", "src")).toContain("src/second.js");
});

describe("stories that depend on each other", () => {
  const file = (id: string) => `docs/stories/${id}.md`;
  const story = (id: string, ...needs: string[]) => ({
    [file(id)]: storyText(id, `Part ${id}`, `depends_on: [${needs.join(", ")}]\n`),
  });
  const plans = (ids: string[]) => Object.fromEntries(ids.map((id, at) => [id, [built(`p${at}`), clean]]));

  test("run after each other, each on top of what it needs, and only what nobody merged yet", async () => {
    const files = { ...story("1.1"), ...story("1.2", "1.1"), ...story("1.3"), ...story("1.4", "1.2", "1.3") };
    const project = await storiesProject(plans(["1.1", "1.2", "1.3", "1.4"]), { files });
    const { repo } = project;
    const all = ["1.4", "1.3", "1.2", "1.1"].map(file);
    const { settled, broken, blocked } = await project.runStories(all, 2);
    expect([...settled.keys()].sort()).toEqual(["story:1.1", "story:1.2", "story:1.3"]);
    expect(blocked).toEqual([]);
    expect(String(broken.get("story:1.4"))).toContain(
      "docs/stories/1.4.md: story 1.4 depends on story-1-2-part-1-2 and story-1-3-part-1-3, which are not merged yet",
    );
    expect(repo.git("merge-base", "story-1-1-part-1-1", "story-1-2-part-1-2")).toBe(
      repo.git("rev-parse", "story-1-1-part-1-1"),
    );
    repo.git("stash", "--quiet");
    repo.git("merge", "--quiet", "--no-edit", "story-1-2-part-1-2");
    repo.git("stash", "pop", "--quiet");
    const then = await project.runStories([file("1.4")]);
    expect(then.settled.get("story:1.4")).toMatchObject({
      outcome: "passed",
      base: repo.git("rev-parse", "story-1-3-part-1-3"),
    });
    const notifications = (await project.notifications()).flatMap(({ item, event }) =>
      event.type === "loop-started" ? [`${item} into ${event.into}`] : [],
    );
    expect(notifications.sort()).toEqual([
      "story:1.1 into main",
      "story:1.2 into story-1-1-part-1-1",
      "story:1.3 into main",
      "story:1.4 into story-1-3-part-1-3",
    ]);
  });

  test("wait for a story that nobody named and that is not done", async () => {
    const project = await storiesProject(plans(["1.2"]), { files: { ...story("1.1"), ...story("1.2", "1.1") } });
    const { blocked } = await project.runStories([file("1.2")]);
    const because = expect.stringContaining("start it with anneal run story:1.1");
    expect(blocked).toEqual([{ id: "story:1.2", because }]);
  });
});

describe("the finalisation", () => {
  test("waits for a person where a hook refuses the documents or would commit more than them, and is tried again", async () => {
    const project = await storiesProject({ [ID]: [built("loans"), clean] });
    const { repo } = project;
    const hook = join(repo.dir, ".git/hooks/pre-commit");
    const install = (lines: string) => {
      repo.write({
        ".git/hooks/pre-commit": `#!/bin/sh\ngit diff --cached --quiet -- docs/progress && exit 0\n${lines}\n`,
      });
      chmodSync(hook, 0o755);
    };
    install("echo no documents here >&2; exit 1");
    expect((await project.runStories()).settled.get(KEY)).toMatchObject({
      reason: "step-broke",
      detail: expect.stringContaining("no documents here"),
      options: ["retry", "take-over", "stop"],
    });
    expect(project.status()).toBe("review");
    install("echo more >> src/loans.js; git add src/loans.js");
    await project.say(KEY, "retry");
    expect((await project.runStories()).settled.get(KEY)).toMatchObject({
      reason: "step-broke",
      detail: expect.stringContaining("a commit hook changed src/loans.js"),
    });
    rmSync(hook);
    await project.say(KEY, "retry");
    const state = (await project.runStories()).settled.get(KEY);
    expect(state).toMatchObject({ outcome: "passed", head: repo.git("rev-parse", `${BRANCH}~1`) });
    expect(state?.documents).toEqual({ commit: repo.git("rev-parse", BRANCH), of: state?.head });
  });

  /** A kind of its own over the project, and what its loops need. */
  async function kindOf({ clock, root }: given.StoriesProject) {
    const repo = await openRepo(root);
    const store: ProjectStore = openStore(repo, { clock });
    onTestFinished(() => store.close());
    const workspaces = workspacesOf(repo);
    const trees = pooledCopies(repo, workspaces);
    const stores = { store, features: featureStore(root, { clock }), blobs: openBlobs(repo, { clock }) };
    return { repo, store, kind: storyKind({ repo, workspaces, trees, clock, ...stores }) };
  }
  const { signal } = new AbortController();

  test("gives way to work that goes on after it: the next commit stands on what was reviewed", async () => {
    const project = await storiesProject({ [ID]: [built("loans"), clean] });
    await project.runStories();
    const { store, kind } = await kindOf(project);
    const row = currentLoop(store, KEY);
    if (row === null) throw new Error("there is no loop");
    const { started, state } = historyOf(store, row);
    const tree = project.repo.git("rev-parse", "main^{tree}");
    const before = { ...state, stage: "committing", of: "person", plan: null, tree } as const;
    const { work } = await kind.prepare(ID, { overrides: {}, before: { started, state: before }, signal });
    const prepared = await work.committing(before, signal, 1);
    if (prepared.type !== "commit-prepared") throw new Error(prepared.type);
    for (const _ of ["once", "again, as after a crash"]) {
      const committed = await work.committing({ ...before, plan: prepared.plan }, signal, 1);
      expect(committed).toMatchObject({ type: "committed", head: project.repo.git("rev-parse", BRANCH) });
    }
    expect(project.repo.git("rev-parse", `${BRANCH}~1`)).toBe(state.head);
  });
});
