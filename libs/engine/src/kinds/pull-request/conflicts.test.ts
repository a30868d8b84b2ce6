import { spawn } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openTestRepo } from "../../../../git/src/testing/make-repo.ts";
import { program } from "../../../../system/src/testing/program.ts";
import { branch, type ForgeProject, forgeProject, goesOn } from "../../golden/testing/forge-project.ts";
import { fixElsewhere, implementWell } from "../../golden/testing/login-feature.ts";
import * as given from "../../golden/testing/login-review-loop.ts";
import { openBlobs } from "../../log/index.ts";

const LOGIN = "src/auth/login.js";
const THEIRS = "export const login = 1;\n";
const BOTH = "export const login = (password) => (password.length >= 8 ? 1 : 401);\n";

const onRemote = ({ repo }: ForgeProject, name: string) => repo.git("ls-remote", "origin", name).split("\t")[0];
const worktreeOf = ({ root, id }: ForgeProject) => openTestRepo(join(`${root}.anneal`, id));
const reviews = async (project: ForgeProject) =>
  (await project.notifications()).flatMap(({ event }) => (event.type === "reviewed" ? [event] : []));

async function opened(more: object[] = [], settings: object = {}) {
  const project = await forgeProject([implementWell, given.passes, ...more], { settings });
  expect(await goesOn(project)).toMatchObject({ stage: "awaiting-feedback" });
  return project;
}

/** The base takes in something that the change cannot be merged with. */
async function conflicting(project: ForgeProject) {
  return await project.forge.as("bob").push("main", { [LOGIN]: THEIRS, "src/others.js": "export const others = 1;\n" });
}

async function inConflict(more: object[] = [], settings: object = {}) {
  const project = await opened(more, settings);
  await project.forge.as("alice").review(1, { state: "approved" });
  const main = await conflicting(project);
  const state = await goesOn(project);
  expect(state).toMatchObject({ stage: "waiting-for-human", reason: "merge-conflict" });
  return { project, main, reviewed: state?.head ?? "" };
}

/** What everybody does: merge the base in the worktree, resolve, commit. */
function resolve(project: ForgeProject, content = BOTH): string {
  const worktree = worktreeOf(project);
  worktree.git("fetch", "--quiet", "origin");
  expect(() => worktree.git("merge", "origin/main")).toThrow();
  return worktree.commit({ [LOGIN]: content }, "Merge main");
}

describe("a pull request whose conflict a person resolves in the item's workspace", () => {
  test("is validated and reviewed at that head, pushed, and merged once that is approved", async () => {
    const { project, main } = await inConflict([given.passes]);
    const resolution = resolve(project);
    await project.say(project.id, "retry");
    const state = await goesOn(project);
    expect(state).toMatchObject({ stage: "awaiting-feedback", base: main, head: resolution });
    expect(state).toMatchObject({ verdict: { head: resolution, verdict: { result: "pass" } } });
    expect(onRemote(project, branch(project))).toBe(resolution);
    expect((await reviews(project)).map(({ head }) => head).at(-1)).toBe(resolution);
    // The approval was of another head.
    expect(await goesOn(project)).toMatchObject({ head: resolution, pr: { number: 1 } });
    expect(await project.forge.get(1)).toMatchObject({ state: "open" });
    await project.forge.as("alice").review(1, { state: "approved" });
    expect(await goesOn(project)).toMatchObject({ outcome: "merged", detail: expect.not.stringContaining("NOT") });
    expect(project.repo.git("-C", project.forge.dir, "show", `main:${LOGIN}`)).toBe(BOTH.trim());
  });

  test("is reviewed without what the base has brought", async () => {
    const { project } = await inConflict([given.passes]);
    resolve(project);
    await project.say(project.id, "retry");
    await goesOn(project);
    const last = (await reviews(project)).at(-1);
    expect(last?.coverage.reviewed).toContain(LOGIN);
    expect(last?.coverage.reviewed).not.toContain("src/others.js");
    const diff = openBlobs(project.repo, project).getText(last?.diff ?? "");
    expect(diff).toContain(LOGIN);
    expect(diff).not.toContain("src/others.js");
  });

  test("goes to the fixer where its review fails", async () => {
    const edits = [
      { path: "src/auth/validator.js", content: "export const isPassword = (text) => text.length > 7;\n" },
    ];
    const mend = { role: "fixer", answer: "Eight it is.\n", edits };
    const { project } = await inConflict([given.fails, mend, given.passes]);
    const resolution = resolve(project);
    await project.say(project.id, "retry");
    const state = await goesOn(project);
    expect(state).toMatchObject({ stage: "awaiting-feedback", rounds: [{}, { head: resolution }, {}] });
    expect(project.repo.git("rev-parse", `${branch(project)}^`)).toBe(resolution);
    expect(onRemote(project, branch(project))).toBe(state?.head);
  });

  test("goes to the fixer where its checks fail", async () => {
    const mend = { role: "fixer", answer: "Mended.\n", edits: [{ path: LOGIN, content: BOTH }] };
    const testCommand = ["sh", "-c", `! grep -q broken ${LOGIN}`];
    const { project } = await inConflict([mend, given.passes], { testCommand });
    const resolution = resolve(project, "broken\n");
    await project.say(project.id, "retry");
    expect(await goesOn(project)).toMatchObject({ stage: "awaiting-feedback" });
    expect(project.repo.git("rev-parse", `${branch(project)}^`)).toBe(resolution);
    expect((await reviews(project)).map(({ head }) => head)).not.toContain(resolution);
  });

  test("keeps the resolution where it is run before the person says retry", async () => {
    const { project } = await inConflict([given.passes]);
    const resolution = resolve(project);
    expect(await goesOn(project)).toMatchObject({ reason: "merge-conflict" });
    expect(project.repo.git("rev-parse", branch(project))).toBe(resolution);
    await project.say(project.id, "retry");
    expect(await goesOn(project)).toMatchObject({ stage: "awaiting-feedback", head: resolution });
  });

  test("is not gone on with while the merge is not committed", async () => {
    const { project } = await inConflict([given.passes]);
    const worktree = worktreeOf(project);
    worktree.git("fetch", "--quiet", "origin");
    expect(() => worktree.git("merge", "origin/main")).toThrow();
    await project.say(project.id, "retry");
    const { broken } = await project.run([project.id]);
    expect(broken.get(project.id)?.message).toContain("has uncommitted changes");
    const resolution = worktree.commit({ [LOGIN]: BOTH }, "Merge main");
    expect(await goesOn(project)).toMatchObject({ stage: "awaiting-feedback", head: resolution });
  });

  test("takes commits that leave the conflict as it is as a new head, too, and tells the conflict again", async () => {
    const { project } = await inConflict([given.passes]);
    const added = worktreeOf(project).commit({ "docs/login.md": "# Login\n" }, "More");
    await project.say(project.id, "retry");
    expect(await goesOn(project)).toMatchObject({ reason: "merge-conflict", head: added, verdict: { head: added } });
  });

  test("does not end as reviewed where the merge has dropped all of the change", async () => {
    const { project } = await inConflict([given.passes]);
    const worktree = worktreeOf(project);
    worktree.git("fetch", "--quiet", "origin");
    expect(() => worktree.git("merge", "origin/main")).toThrow();
    worktree.git("checkout", "--quiet", "origin/main", "--", ".");
    worktree.git("rm", "--quiet", "-f", "src/auth/validator.js");
    worktree.git("commit", "--quiet", "--message", "Theirs");
    await project.say(project.id, "retry");
    expect(await goesOn(project)).toMatchObject({ stage: "waiting-for-human", reason: "review-broke" });
    expect(await project.forge.get(1)).toMatchObject({ state: "open" });
  });

  test.for([
    { what: "was put back to the base", at: "origin/main" },
    { what: "holds other commits in place of the reviewed ones", at: "origin/main", files: { [LOGIN]: BOTH } },
  ])("is refused in one sentence where the branch $what there, and nothing moves", async ({ at, files }) => {
    const { project, reviewed } = await inConflict([given.passes]);
    const worktree = worktreeOf(project);
    worktree.git("fetch", "--quiet", "origin");
    worktree.git("reset", "--quiet", "--hard", at);
    if (files !== undefined) worktree.commit(files, "Instead");
    await project.say(project.id, "retry");
    const { broken } = await project.run([project.id]);
    expect(broken.get(project.id)?.message).toMatch(
      /has diverged between .*: in .* to keep only the commits of the workspace$/,
    );
    expect(project.repo.git("rev-parse", branch(project))).toBe(reviewed);
    expect(await reviews(project)).toHaveLength(1);
  });

  test("ends as merged where somebody has merged the reviewed head meanwhile", async () => {
    const { project, reviewed } = await inConflict([given.passes]);
    resolve(project);
    await project.forge.as("bob").push("main", { [LOGIN]: null, "src/others.js": null });
    await project.forge.as("alice").merge(1);
    await project.say(project.id, "retry");
    expect(await goesOn(project)).toMatchObject({ outcome: "merged", head: reviewed });
  });
});

describe("a process that is killed while it takes up a resolution", () => {
  test.for(["log.append.before:1", "log.append.before:2", "log.append.after:2"])(
    "goes on with it at the next start, once: at %s",
    async (point) => {
      const { project } = await inConflict([given.passes]);
      const resolution = resolve(project);
      await project.say(project.id, "retry");
      expect(await killedAt(project, point)).toBe("SIGKILL");
      expect(await goesOn(project)).toMatchObject({ stage: "awaiting-feedback", head: resolution });
      const taken = (await project.notifications()).filter(({ event }) => event.type === "conflict-resolved");
      expect(taken.length).toBeLessThanOrEqual(1);
      expect(onRemote(project, branch(project))).toBe(resolution);
    },
  );
});

/** Runs the item in a process of its own, which dies at a failpoint. */
function killedAt({ root, id }: ForgeProject, point: string): Promise<string | null> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, [program("owner-child"), root, id], {
    env: { PATH, HOME: root, GIT_CONFIG_GLOBAL: "/dev/null", NODE_COMPILE_CACHE, ANNEAL_FAILPOINT: point },
    stdio: ["ignore", "ignore", "inherit"],
  });
  return new Promise((done) => child.once("exit", (_, signal) => done(signal)));
}

describe("a conflict is reported before anybody is asked to approve", () => {
  const ready = async (project: ForgeProject) => void (await project.say(project.id, "ready"));
  const TOLD = { stage: "waiting-for-human", reason: "merge-conflict", options: ["retry", "take-over", "stop"] };

  test.for([
    { when: "feedback is awaited", get: opened, act: async () => {} },
    { when: "it is ready for people", get: opened, act: ready },
  ])("with what to do about it, at the next look: while $when", async ({ get, act }) => {
    const project = await get([given.passes]);
    await act(project);
    await conflicting(project);
    const { id } = project;
    const detail =
      `conflict in ${LOGIN}, because main on origin has moved: run git fetch origin, git switch feature/${id} ` +
      `and git merge origin/main in your checkout, resolve the conflict and commit; then anneal retry ${id} and anneal run ${id} review the result and push it to pull request 1`;
    expect(await goesOn(project)).toMatchObject({ ...TOLD, detail });
    const seen = (await project.notifications()).length;
    expect(await goesOn(project)).toMatchObject({ ...TOLD, detail });
    expect((await project.notifications()).length).toBe(seen);
    const resolution = resolve(project);
    await project.say(id, "retry");
    expect(await goesOn(project)).toMatchObject({ stage: "awaiting-feedback", head: resolution });
  });

  test("when the pull request is opened or brought up to date", async () => {
    const project = await forgeProject([implementWell, given.passes, given.passes]);
    await conflicting(project);
    expect(await goesOn(project)).toMatchObject({ ...TOLD, pr: { number: 1 } });
    const resolution = resolve(project);
    await project.say(project.id, "retry");
    expect(await goesOn(project)).toMatchObject({ stage: "awaiting-feedback", head: resolution });
  });

  test("and a retry goes on listening once the base has taken it back", async () => {
    const project = await opened();
    await conflicting(project);
    expect(await goesOn(project)).toMatchObject(TOLD);
    await project.forge.as("bob").push("main", { [LOGIN]: null });
    await project.say(project.id, "retry");
    expect(await goesOn(project)).toMatchObject({ stage: "awaiting-feedback" });
    await project.forge.as("alice").review(1, { state: "approved" });
    expect(await goesOn(project)).toMatchObject({ outcome: "merged" });
  });

  test("after what people ask for there, which is done first", async () => {
    const project = await opened([fixElsewhere("a"), given.passes]);
    await conflicting(project);
    await project.forge.as("alice").comment(1, "Please say what a means.");
    expect(await goesOn(project)).toMatchObject({ ...TOLD, feedbackCycles: 1 });
  });
});
