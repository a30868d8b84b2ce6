import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "@anneal/system/programs/command";
import { probeSandbox } from "@anneal/system/sandbox/probe";
import { describe, expect, test, vi } from "vitest";
import { makeRepo } from "../../../git/src/testing/make-repo.ts";
import { workspaceOf } from "../../../workspace/src/testing/workspace-of.ts";
import { runSetup } from "./setup.ts";

const at = (repo: { root: string }, name: string) => join(repo.root, name);
const text = (repo: { root: string }, name: string) => readFileSync(at(repo, name), "utf8");

/** A set-up that counts its runs, and leaves something behind that no rule ignores. */
const counting = { "install.sh": "echo run >> ../count; mkdir -p packages; echo x > packages/x; echo installed\n" };
const setup = ["sh install.sh"];
const works = (await probeSandbox()).state === "works";

describe("setting up a worktree", () => {
  test("runs the commands once for each state of the lock files", async () => {
    using repo = makeRepo({ ...counting, "package-lock.json": "1" });
    const worktree = await workspaceOf(repo);
    const request = { setup, copy: [] };
    expect(await runSetup(worktree, request)).toMatchObject({ result: "done", output: "installed\n" });
    expect(await runSetup(worktree, request)).toEqual({ result: "unchanged" });
    writeFileSync(at(worktree, "package-lock.json"), "2");
    expect(await runSetup(worktree, request)).toMatchObject({ result: "done" });
    writeFileSync(at(worktree, ".gitmodules"), "[submodule]\n");
    expect(await runSetup(worktree, request)).toMatchObject({ result: "done" });
    expect(await runSetup(worktree, { ...request, setup: [...setup, "true"] })).toMatchObject({ result: "done" });
    expect(readFileSync(join(`${repo.dir}.anneal`, "count"), "utf8")).toBe("run\n".repeat(4));
  });

  test("keeps what it made out of the change, but nothing that was there before", async () => {
    using repo = makeRepo(counting);
    const worktree = await workspaceOf(repo);
    writeFileSync(at(worktree, "work"), "w");
    await runSetup(worktree, { setup, copy: [] });
    expect(await worktree.untracked()).toEqual(["work"]);
    await worktree.resetTo("HEAD");
    expect(existsSync(at(worktree, "packages/x"))).toBe(true);
  });

  test("that fails says which command, and is tried again", async () => {
    using repo = makeRepo({ a: "1" });
    const worktree = await workspaceOf(repo);
    const request = { setup: ["sh -c 'echo broken; exit 4'"], copy: [] };
    for (const _ of [1, 2]) {
      expect(await runSetup(worktree, request)).toEqual({
        result: "failed",
        failed: "sh -c 'echo broken; exit 4' (4)",
        output: "broken\n",
      });
    }
    expect(await runSetup(worktree, { setup: ["exit 3"], copy: [] })).toMatchObject({
      failed: "exit 3 (the program is not installed; commands run without a shell)",
    });
  });

  test("that is stopped is not done", async () => {
    using repo = makeRepo({ a: "1" });
    const worktree = await workspaceOf(repo);
    const stop = new AbortController();
    const request = {
      setup: ["sh -c 'echo x; sleep 60'"],
      copy: [],
      signal: stop.signal,
      onOutput: () => stop.abort(),
    };
    await expect(runSetup(worktree, request)).rejects.toThrow("aborted");
    expect(await runSetup(worktree, { setup: ["true"], copy: [] })).toMatchObject({ result: "done" });
  });

  const points = ["setup.stamp.before", "setup.stamp.after", "setup.copy.before", "setup.copy.after"];
  test.for([...points, "setup.command.before", "setup.command.after", "setup.stamp.before:2", "setup.stamp.after:2"])(
    "killed at %s and run again, it is done and hidden",
    async (point) => {
      using repo = makeRepo(counting);
      repo.write({ ".env": "KEY=1" });
      const worktree = await workspaceOf(repo);
      const request = { setup, copy: [".env"] };
      const url = (name: string) => JSON.stringify(import.meta.resolve(name));
      const script = `const { openRepo } = await import(${url("@anneal/git")});
        const { runSetup } = await import(${url("./setup.ts")});
        await runSetup(await openRepo(${JSON.stringify(worktree.root)}), ${JSON.stringify(request)});`;
      const env = { PATH: process.env.PATH, HOME: repo.dir, ANNEAL_FAILPOINT: point };
      const killed = spawnSync(process.execPath, ["--input-type=module", "-e", script], { env });
      expect(killed.signal).toBe("SIGKILL");
      await runSetup(worktree, request);
      expect(await runSetup(worktree, request)).toEqual({ result: "unchanged" });
      expect([text(worktree, ".env"), text(worktree, "packages/x")]).toEqual(["KEY=1", "x\n"]);
      expect(await worktree.status()).toBe("clean");
    },
  );
});

describe("copying files from the main tree", () => {
  test("brings them over with their mode, outside of every commit, and names those that are not there", async () => {
    using repo = makeRepo({ a: "1", tracked: "main\n" });
    repo.write({ ".env": "KEY=1", "config/local/x.json": "{}" });
    chmodSync(join(repo.dir, ".env"), 0o600);
    const worktree = await workspaceOf(repo);
    writeFileSync(at(worktree, "tracked"), "of the agent\n");
    const copy = [".env", "config/local/x.json", "tracked", "not-there"];
    expect(await runSetup(worktree, { setup: [], copy })).toMatchObject({
      result: "done",
      copied: [".env", "config/local/x.json"],
      missing: ["not-there"],
    });
    expect(text(worktree, ".env")).toBe("KEY=1");
    expect(statSync(at(worktree, ".env")).mode & 0o777).toBe(0o600);
    expect(text(worktree, "tracked")).toBe("of the agent\n");
    expect(await worktree.untracked()).toEqual([]);
  });

  test.for([
    "../outside",
    "/etc/hostname",
    ".git/config",
    "sub/.git/config",
    "a/../../outside",
    ".",
    "link-out",
    "folder",
  ])("refuses %s", async (path) => {
    using repo = makeRepo({ a: "1" });
    mkdirSync(join(repo.dir, "folder"));
    symlinkSync("/etc/hostname", join(repo.dir, "link-out"));
    const worktree = await workspaceOf(repo);
    await expect(runSetup(worktree, { setup: [], copy: [path] })).rejects.toMatchObject({ name: "OutsideJail" });
  });

  test.for(["a link to a folder", "a link in its place"])(
    "never writes through %s that an agent left",
    async (what) => {
      using repo = makeRepo({ a: "1" });
      using outside = makeRepo({ victim: "theirs" });
      repo.write({ "dir/victim": "KEY=1" });
      const worktree = await workspaceOf(repo);
      if (what === "a link to a folder") symlinkSync(outside.dir, at(worktree, "dir"));
      else {
        mkdirSync(at(worktree, "dir"));
        symlinkSync(join(outside.dir, "victim"), at(worktree, "dir/victim"));
      }
      await expect(runSetup(worktree, { setup: [], copy: ["dir/victim"] })).rejects.toMatchObject({
        name: "OutsideJail",
      });
      expect(readFileSync(join(outside.dir, "victim"), "utf8")).toBe("theirs");
      rmSync(at(worktree, "dir"), { recursive: true });
    },
  );
});

describe("set-up with files that a loop has changed", () => {
  test.runIf(works)("is shut in: it writes its workspace and caches, and nothing else of the user's", async () => {
    using home = makeRepo({ ".npmrc": "registry\n", ".npm/a": "" });
    vi.stubEnv("HOME", home.dir);
    using repo = makeRepo({
      "install.sh":
        'echo evil > "$HOME/evil"; echo evil > ../evil; echo made > made; echo x > "$HOME/.npm/b"; cat "$HOME/.npmrc"; git config a.b c\n',
    });
    const worktree = await workspaceOf(repo);
    const done = await runSetup(worktree, { setup: ["sh install.sh"], copy: [], sandbox: "auto" });
    vi.unstubAllEnvs();
    expect(done).toMatchObject({ result: "done", output: expect.stringContaining("registry\n") });
    expect([existsSync(at(worktree, "made")), existsSync(join(home.dir, ".npm/b"))]).toEqual([true, true]);
    expect([existsSync(join(home.dir, "evil")), existsSync(join(`${repo.dir}.anneal`, "evil"))]).toEqual([
      false,
      false,
    ]);
  });

  test("is not done anew because a program has removed the note of it", async () => {
    using repo = makeRepo(counting);
    const worktree = await workspaceOf(repo);
    await runSetup(worktree, { setup, copy: [] });
    await runCommand(["rm", ".git/anneal-setup.json"], { cwd: worktree.root, timeoutMs: 60_000 });
    expect(await runSetup(worktree, { setup, copy: [] })).toEqual({ result: "unchanged" });
  });
});
