import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { workspaceOf } from "../../../../workspace/src/testing/workspace-of.ts";
import { type CommitObjectPlan, openRepo, type PreparedCommit } from "../../index.ts";
import { killAt } from "../../testing/kill-at.ts";
import { makeRepo, openTestRepo, type TestRepo } from "../../testing/make-repo.ts";

const request = {
  message: "fix: it",
  author: { name: "Loop", email: "loop@example.com" },
  date: "1700000000 +0100",
};

function hook(repo: TestRepo, name: string, script: string): void {
  const path = join(repo.dir, ".git/hooks", name);
  mkdirSync(join(repo.dir, ".git/hooks"), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
}

function planned(prepared: PreparedCommit): CommitObjectPlan {
  if (prepared === "nothing" || "refused" in prepared) throw new Error(`no plan: ${JSON.stringify(prepared)}`);
  return prepared;
}

describe("a prepared commit", () => {
  test("is plain data with all that the commit will be, and moves no ref", async () => {
    using repo = makeRepo({ a: "1\n" });
    const refs = repo.git("for-each-ref");
    repo.write({ a: "2\n", new: "n\n" });
    const opened = await openRepo(repo.dir);
    const plan = await opened.prepareCommit(request);
    expect(plan).toEqual({
      tree: await opened.worktreeTree(),
      parent: repo.git("rev-parse", "HEAD"),
      branch: "refs/heads/main",
      message: "fix: it\n",
      author: request.author,
      date: "1700000000 +0100",
    });
    expect(repo.git("for-each-ref")).toBe(refs);
  });

  test("has git's own identity and the present time where none is given", async () => {
    using repo = makeRepo({ a: "1\n" });
    repo.write({ a: "2\n" });
    const plan = planned(await (await openRepo(repo.dir)).prepareCommit({ message: "m" }));
    expect(plan.author).toEqual({ name: "Robin Example", email: "robin@example.com" });
    expect(plan.date).toMatch(/^\d{10} [+-]\d{4}$/);
  });

  test("takes what hooks stage and what they make of the message", async () => {
    using repo = makeRepo({ a: "1\n" });
    hook(repo, "pre-commit", "echo formatted > a && git add a");
    hook(repo, "commit-msg", 'printf "changed" > "$1"');
    repo.write({ a: "2\n" });
    const plan = planned(await (await openRepo(repo.dir)).prepareCommit(request));
    expect(plan.message).toBe("changed\n");
    expect(repo.git("cat-file", "blob", `${plan.tree}:a`)).toBe("formatted");
  });

  test("is refused by a hook, or nothing where nothing changed", async () => {
    using repo = makeRepo({ a: "1\n" });
    const opened = await openRepo(repo.dir);
    expect(await opened.prepareCommit(request)).toBe("nothing");
    hook(repo, "pre-commit", "echo no; exit 1");
    repo.write({ a: "2\n" });
    expect(await opened.prepareCommit(request)).toEqual({ refused: "no" });
  });

  test("hands no key of ours to the hooks", async () => {
    using repo = makeRepo({ a: "1\n" });
    hook(repo, "pre-commit", "env; exit 1");
    repo.write({ a: "2\n" });
    process.env.SOME_API_KEY = "very-secret";
    try {
      const refused = await (await openRepo(repo.dir)).prepareCommit(request);
      expect(JSON.stringify(refused)).toContain("GIT_INDEX_FILE");
      expect(JSON.stringify(refused)).not.toContain("very-secret");
    } finally {
      delete process.env.SOME_API_KEY;
    }
  });
});

describe("carrying out a plan", () => {
  test("commits it in the branch of a workspace with the recorded author, date and message, and the status is clean", async () => {
    using repo = makeRepo({ a: "1\n" });
    const worktree = await workspaceOf(repo);
    const inside = openTestRepo(worktree.root);
    inside.write({ a: "2\n", b: "b\n" });
    const plan = planned(await worktree.prepareCommit(request));
    const { commit } = await worktree.carryOut(plan);
    expect(inside.git("rev-parse", "one")).toBe(commit);
    expect(inside.git("log", "-1", "--format=%an %ae %ad %cn %cd %P %B", "--date=raw", "one")).toBe(
      `Loop loop@example.com 1700000000 +0100 Loop 1700000000 +0100 ${repo.git("rev-parse", "main")} fix: it\n`,
    );
    expect(await worktree.status()).toBe("clean");
  });

  test.for([
    { what: "again", spoil: () => {} },
    { what: "again after the index was lost", spoil: (repo: TestRepo) => repo.git("read-tree", "--empty") },
    { what: "again after the index was put back", spoil: (repo: TestRepo) => repo.git("read-tree", "HEAD~1") },
  ])("$what gives the same commit, one commit, and a clean status", async ({ spoil }) => {
    using repo = makeRepo({ a: "1\n", b: "b\n" });
    repo.write({ a: "2\n", c: "c\n" });
    const opened = await openRepo(repo.dir);
    const plan = JSON.parse(JSON.stringify(await opened.prepareCommit(request)));
    const first = await opened.carryOut(plan);
    spoil(repo);
    expect(await opened.carryOut(plan)).toEqual(first);
    expect(repo.git("rev-list", "--count", "HEAD")).toBe("2");
    expect(await opened.status()).toBe("clean");
  });

  test("works for the first commit and on a detached head", async () => {
    using repo = makeRepo();
    repo.write({ a: "1\n" });
    const opened = await openRepo(repo.dir);
    for (const branch of ["refs/heads/main", null]) {
      const plan = planned(await opened.prepareCommit(request));
      expect(plan.branch).toBe(branch);
      const commits = [await opened.carryOut(plan), await opened.carryOut(plan)];
      expect(commits).toEqual([{ commit: repo.git("rev-parse", "HEAD") }, { commit: repo.git("rev-parse", "HEAD") }]);
      repo.git("checkout", "--quiet", "--detach");
      repo.write({ a: "2\n" });
    }
    expect(repo.git("rev-list", "--count", "HEAD")).toBe("2");
  });

  test("leaves a branch alone that somebody moved, and names both ids", async () => {
    using repo = makeRepo({ a: "1\n" });
    repo.write({ a: "2\n" });
    const opened = await openRepo(repo.dir);
    const plan = planned(await opened.prepareCommit(request));
    const other = repo.git("commit-tree", "-p", "HEAD", "-m", "other", "HEAD^{tree}");
    repo.git("update-ref", "refs/heads/main", other);
    await expect(opened.carryOut(plan)).rejects.toMatchObject({
      kind: "moved",
      moved: { expected: plan.parent, found: other },
      message: expect.stringContaining(other),
    });
    expect(repo.git("rev-parse", "main")).toBe(other);
  });

  test("leaves everything alone where the worktree is on another branch now", async () => {
    using repo = makeRepo({ a: "1\n" });
    repo.write({ a: "2\n" });
    const opened = await openRepo(repo.dir);
    const plan = planned(await opened.prepareCommit(request));
    repo.git("switch", "--quiet", "--create", "side");
    await expect(opened.carryOut(plan)).rejects.toMatchObject({
      kind: "moved",
      message: expect.stringContaining("side"),
    });
  });

  test("signs only if that is configured, and then knows its commit by tree, parent and message", async () => {
    using repo = makeRepo({ a: "1\n" });
    const signer = join(repo.dir, ".git/signer");
    // A stand-in that signs differently each time, as gpg does.
    const script = [
      "cat >/dev/null",
      'echo "[GNUPG:] SIG_CREATED $$" >&2',
      "echo -----BEGIN PGP SIGNATURE-----",
      "date +%N",
    ];
    writeFileSync(signer, `#!/bin/sh\n${script.join("\n")}\necho -----END PGP SIGNATURE-----\n`);
    chmodSync(signer, 0o755);
    repo.git("config", "gpg.program", signer);
    repo.git("config", "commit.gpgSign", "true");
    repo.write({ a: "2\n" });
    const opened = await openRepo(repo.dir);
    const plan = planned(await opened.prepareCommit(request));
    const first = await opened.carryOut(plan);
    expect(repo.git("cat-file", "commit", "HEAD")).toContain("gpgsig");
    expect(await opened.carryOut(plan)).toEqual(first);
    expect(repo.git("rev-list", "--count", "HEAD")).toBe("2");
    const changed = { ...plan, message: "another\n" };
    await expect(opened.carryOut(changed)).rejects.toMatchObject({ kind: "moved" });
  });

  test("says what to change where the key does not sign", async () => {
    using repo = makeRepo({ a: "1\n" });
    repo.git("config", "gpg.program", "false");
    repo.git("config", "commit.gpgSign", "true");
    repo.write({ a: "2\n" });
    const opened = await openRepo(repo.dir);
    const plan = planned(await opened.prepareCommit(request));
    await expect(opened.carryOut(plan)).rejects.toMatchObject({
      kind: "signing",
      message: expect.stringMatching(/could not be signed: .*gpg-agent.*git config commit\.gpgSign false$/),
    });
  });
});

describe("killed and run again", () => {
  test.for(["git.stage.before", "git.stage.after", "git.hooks.after"])(
    "preparing, killed at %s, gives the same plan",
    async (point) => {
      using repo = makeRepo({ a: "1\n" });
      hook(repo, "pre-commit", "echo formatted > b && git add b");
      repo.write({ a: "2\n" });
      const killed = killAt(point, repo.dir, `await repo.prepareCommit(${JSON.stringify(request)});`);
      expect(killed).toMatchObject({ signal: "SIGKILL" });
      using calm = makeRepo({ a: "1\n" });
      calm.write({ a: "2\n", b: "formatted\n" });
      const plans = [repo, calm].map(async ({ dir }) => (await openRepo(dir)).prepareCommit(request));
      expect(await plans[0]).toEqual(await plans[1]);
    },
  );

  test.for(["git.commit-object.before", "git.commit-object.after", "git.ref.before", "git.ref.after"])(
    "carrying out, killed at %s, gives one commit with the planned id",
    async (point) => {
      using repo = makeRepo({ a: "1\n" });
      using calm = makeRepo({ a: "1\n" });
      const results = [];
      for (const each of [repo, calm]) {
        each.write({ a: "2\n" });
        const opened = await openRepo(each.dir);
        const plan = await opened.prepareCommit(request);
        if (each === repo) {
          const killed = killAt(point, repo.dir, `await repo.carryOut(${JSON.stringify(plan)});`);
          expect(killed).toMatchObject({ signal: "SIGKILL" });
        }
        results.push(await opened.carryOut(planned(plan)));
        expect(await opened.status()).toBe("clean");
        expect(each.git("rev-list", "--count", "HEAD")).toBe("2");
        expect(existsSync(join(each.dir, ".git/index.lock"))).toBe(false);
      }
      expect(results[0]).toEqual(results[1]);
    },
  );

  test.for(["git.index.before", "git.index.after"])("carrying out over a lost index, killed at %s", async (point) => {
    using repo = makeRepo({ a: "1\n" });
    repo.write({ a: "2\n" });
    const opened = await openRepo(repo.dir);
    const plan = planned(await opened.prepareCommit(request));
    repo.git("read-tree", "--empty");
    const killed = killAt(point, repo.dir, `await repo.carryOut(${JSON.stringify(plan)});`);
    expect(killed).toMatchObject({ signal: "SIGKILL" });
    await opened.carryOut(plan);
    expect(await opened.status()).toBe("clean");
  });
});
