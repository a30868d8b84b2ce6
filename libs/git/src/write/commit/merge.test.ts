import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MergePlan } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { openRepo, type PlannedMerge } from "../../index.ts";
import { killAt } from "../../testing/kill-at.ts";
import { type Files, makeRepo, type TestRepo } from "../../testing/make-repo.ts";

const request = {
  into: "main",
  commit: "topic",
  message: "Merge unit topic",
  author: { name: "Loop", email: "loop@example.com" },
  date: "1700000000 +0100",
};

/** `main` is checked out and has a commit of its own, and so has `topic`. */
function forked(topic: Files = { topic: "t\n" }, main: Files = { main: "m\n" }): TestRepo {
  const repo = makeRepo({ a: "1\n2\n3\n", keep: "k\n" });
  repo.git("checkout", "-q", "-b", "topic");
  repo.commit(topic, "on topic");
  repo.git("checkout", "-q", "main");
  repo.commit(main, "on main");
  return repo;
}

function planned(merge: PlannedMerge): MergePlan {
  if (merge === "already" || "conflicts" in merge) throw new Error(`no plan: ${JSON.stringify(merge)}`);
  return merge.plan;
}

describe("a planned merge", () => {
  test("is plain data with all that the merge will be, and touches no ref, index or file", async () => {
    using repo = forked();
    repo.write({ keep: "mine\n", topic: "in the way\n" });
    const opened = await openRepo(repo.dir);
    const before = await opened.snapshot();
    const plan = planned(await opened.mergePlan(request));
    expect(await opened.sameAs(before)).toEqual([]);
    expect(MergePlan.parse(JSON.parse(JSON.stringify(plan)))).toEqual(plan);
    expect(plan).toEqual({
      branch: "refs/heads/main",
      parent: repo.git("rev-parse", "main"),
      merged: repo.git("rev-parse", "topic"),
      by: "commit",
      tree: expect.stringMatching(/^[0-9a-f]{40}$/),
      message: "Merge unit topic\n",
      author: request.author,
      date: request.date,
    });
    expect(repo.git("ls-tree", "--name-only", plan.tree).split("\n")).toEqual(["a", "keep", "main", "topic"]);
  });

  test.for<{ what: string; topic: Files; main: Files; files: string[] }>([
    { what: "both edited", topic: { a: "t\n", keep: "t\n" }, main: { a: "m\n", keep: "m\n" }, files: ["a", "keep"] },
    { what: "one edited and one removed", topic: { a: null }, main: { a: "m\n" }, files: ["a"] },
    { what: "both added", topic: { "ä b": "t\n" }, main: { "ä b": "m\n" }, files: ["ä b"] },
    { what: "a file here and a folder there", topic: { x: "t\n" }, main: { "x/y": "m\n" }, files: ["x~topic"] },
  ])("names the files in conflict: $what", async ({ topic, main, files }) => {
    using repo = forked(topic, main);
    const opened = await openRepo(repo.dir);
    const before = await opened.snapshot();
    const merge = await opened.mergePlan(request);
    expect(merge).toEqual({ conflicts: files.map((name) => name.replace("topic", repo.git("rev-parse", "topic"))) });
    expect(await opened.sameAs(before)).toEqual([]);
  });

  test("is not made where the branch contains the commit already", async () => {
    using repo = forked();
    const opened = await openRepo(repo.dir);
    expect(await opened.mergePlan({ ...request, commit: "main~1" })).toBe("already");
    expect(await opened.mergePlan({ ...request, commit: "main" })).toBe("already");
  });

  test("says what to do for unrelated histories, unknown branches and unknown commits", async () => {
    using repo = forked();
    const stranger = repo.git("commit-tree", "-m", "alone", "main^{tree}");
    const opened = await openRepo(repo.dir);
    const asked = (change: Partial<typeof request>) => opened.mergePlan({ ...request, ...change });
    await expect(asked({ commit: stranger })).rejects.toMatchObject({ kind: "no-merge-base" });
    await expect(asked({ into: "none" })).rejects.toMatchObject({ kind: "unknown-ref" });
    await expect(asked({ commit: "none" })).rejects.toMatchObject({ kind: "unknown-ref" });
  });

  test("says that an old git has to be updated", async () => {
    using repo = forked();
    const bin = mkdtempSync(join(tmpdir(), "anneal-old-git-"));
    const path = process.env.PATH;
    const old = ['case "$*" in', "*merge-tree*) echo usage: git merge-tree >&2; exit 129;;"];
    const script = [...old, "*version) echo git version 2.36.1; exit;;", "esac", `PATH=${path} exec git "$@"`];
    writeFileSync(join(bin, "git"), `#!/bin/sh\n${script.join("\n")}\n`);
    chmodSync(join(bin, "git"), 0o755);
    const opened = await openRepo(repo.dir);
    process.env.PATH = `${bin}:${path}`;
    try {
      await expect(opened.mergePlan(request)).rejects.toThrow(
        /needs git 2.38 or later, and this is git version 2.36.1/,
      );
    } finally {
      process.env.PATH = path;
      rmSync(bin, { recursive: true });
    }
  });
});

describe("carrying out a merge", () => {
  test("makes one commit with two parents, takes the work tree along, and keeps uncommitted work", async () => {
    using repo = forked();
    repo.write({ keep: "mine\n" });
    const opened = await openRepo(repo.dir);
    const plan = planned(await opened.mergePlan(request));
    const commits = [await opened.carryOutMerge(plan), await opened.carryOutMerge(plan)];
    expect(commits).toEqual([{ commit: repo.git("rev-parse", "main") }, commits[0]]);
    expect(repo.git("log", "-1", "--format=%an %ad %cn %cd %P%n%B", "--date=raw")).toBe(
      `Loop 1700000000 +0100 Loop 1700000000 +0100 ${plan.parent} ${plan.merged}\nMerge unit topic\n`,
    );
    expect(repo.git("status", "--porcelain")).toBe(" M keep");
    expect(existsSync(join(repo.dir, "topic"))).toBe(true);
    expect(await opened.mergePlan(request)).toBe("already");
  });

  test.for([
    { ff: undefined, commits: 2, parents: 1 },
    { ff: "allow" as const, commits: 2, parents: 1 },
    { ff: "never" as const, commits: 3, parents: 2 },
  ])("of a branch that is simply ahead leaves $commits commits where ff is $ff", async ({ ff, commits, parents }) => {
    using repo = makeRepo({ a: "1\n" });
    repo.git("checkout", "-q", "-b", "topic");
    repo.commit({ a: "2\n" });
    repo.git("checkout", "-q", "main");
    const opened = await openRepo(repo.dir);
    const plan = planned(await opened.mergePlan({ ...request, ...(ff ? { ff } : {}) }));
    const { commit } = await opened.carryOutMerge(plan);
    expect(await opened.carryOutMerge(plan)).toEqual({ commit });
    expect(repo.git("rev-parse", "main")).toBe(commit);
    expect(repo.git("rev-list", "--count", "main")).toBe(String(commits));
    expect(repo.git("log", "-1", "--format=%P").split(" ")).toHaveLength(parents);
    expect(repo.git("status", "--porcelain")).toBe("");
  });

  test("finds it done where the branch has gone on since, and stops where it went elsewhere", async () => {
    using repo = forked();
    const opened = await openRepo(repo.dir);
    const plan = planned(await opened.mergePlan(request));
    const { commit } = await opened.carryOutMerge(plan);
    const later = repo.commit({ later: "l\n" });
    expect(await opened.carryOutMerge(plan)).toEqual({ commit });
    repo.git("reset", "-q", "--hard", plan.parent);
    const other = repo.commit({ other: "o\n" });
    await expect(opened.carryOutMerge(plan)).rejects.toMatchObject({
      kind: "moved",
      moved: { expected: plan.parent, found: other },
    });
    expect([later, repo.git("rev-parse", "main")]).toEqual([later, other]);
  });

  test("stops before anything has moved where work is in the way", async () => {
    using repo = forked();
    repo.write({ topic: "mine\n" });
    const opened = await openRepo(repo.dir);
    const plan = planned(await opened.mergePlan(request));
    await expect(opened.carryOutMerge(plan)).rejects.toMatchObject({ kind: "in-the-way", paths: ["topic"] });
    expect(repo.git("rev-parse", "main")).toBe(plan.parent);
  });

  test("makes the merged tree anew where garbage collection took it meanwhile", async () => {
    using repo = forked({ topic: "t\n", a: "1\n2\nthree\n" }, { a: "eins\n2\n3\n" });
    const opened = await openRepo(repo.dir);
    const plan = planned(await opened.mergePlan(request));
    repo.git("prune", "--expire=now");
    expect(() => repo.git("cat-file", "-e", plan.tree)).toThrow();
    const { commit } = await opened.carryOutMerge(plan);
    expect(repo.git("rev-parse", `${commit}^{tree}`)).toBe(plan.tree);
  });

  test("signs only if that is configured, and then knows its commit by tree, parents and message", async () => {
    using repo = forked();
    const signer = join(repo.dir, ".git/signer");
    // A stand-in that signs differently each time, as gpg does.
    const signature = ["-----BEGIN PGP SIGNATURE-----", "$(date +%N)", "-----END PGP SIGNATURE-----"];
    const lines = [
      "cat >/dev/null",
      'echo "[GNUPG:] SIG_CREATED $$" >&2',
      ...signature.map((line) => `echo "${line}"`),
    ];
    writeFileSync(signer, `#!/bin/sh\n${lines.join("\n")}\n`);
    chmodSync(signer, 0o755);
    repo.git("config", "gpg.program", signer);
    repo.git("config", "commit.gpgSign", "true");
    const opened = await openRepo(repo.dir);
    const plan = planned(await opened.mergePlan(request));
    const script = `await repo.carryOutMerge(${JSON.stringify(plan)});`;
    expect(killAt("git.move.files.after", repo.dir, script)).toMatchObject({ signal: "SIGKILL" });
    const first = await opened.carryOutMerge(plan);
    expect(repo.git("cat-file", "commit", "HEAD")).toContain("gpgsig");
    repo.commit({ later: "l\n" });
    expect(await opened.carryOutMerge(plan)).toEqual(first);
    expect(repo.git("rev-list", "--count", "--merges", "HEAD")).toBe("1");
    const changed = { ...plan, message: "another\n" };
    await expect(opened.carryOutMerge(changed)).rejects.toMatchObject({ kind: "moved" });
  });
});

describe("killed and run again", () => {
  const points = ["merge-object.before", "merge-object.after", "move.note.after", "move.files.after", "move.ref.after"];
  test("at any point, there is one merge with the planned id, and the status is clean", async () => {
    using calm = forked();
    const quiet = await openRepo(calm.dir);
    const expected = await quiet.carryOutMerge(planned(await quiet.mergePlan(request)));
    for (const point of points) {
      using repo = forked();
      const opened = await openRepo(repo.dir);
      const plan = planned(await opened.mergePlan(request));
      const killed = killAt(`git.${point}`, repo.dir, `await repo.carryOutMerge(${JSON.stringify(plan)});`);
      expect(killed, point).toMatchObject({ signal: "SIGKILL" });
      expect(await opened.carryOutMerge(plan), point).toEqual(expected);
      expect(repo.git("rev-parse", "main")).toBe(expected.commit);
      expect(repo.git("status", "--porcelain"), point).toBe("");
      expect(readdirSync(join(repo.dir, ".git")).filter((name) => /lock$|anneal-move/.test(name))).toEqual([]);
    }
  });
});
