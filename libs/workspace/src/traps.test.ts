import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "@anneal/system/programs/command";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeRepo } from "../../git/src/testing/make-repo.ts";
import { differing, digest } from "./testing/digest.ts";
import { fresh } from "./testing/fresh.ts";
import { scene } from "./testing/scene.ts";

let outside: string;
beforeEach(() => {
  outside = realpathSync(mkdtempSync(join(tmpdir(), "anneal-outside-")));
});
afterEach(() => rmSync(outside, { recursive: true, force: true }));

const text = (dir: string, path: string) => readFileSync(join(dir, path), "utf8");

/** What an agent leaves by which git would start a program of its own, or go elsewhere. */
const TRAPS: Record<string, string> = {
  "core.fsmonitor": 'git config core.fsmonitor "$EVIL"',
  "core.hooksPath": 'mkdir evil; cp "$EVIL" evil/pre-commit; git config core.hooksPath evil; rm -r evil/.git || :',
  "a filter":
    'git config filter.x.clean "$EVIL"; git config filter.x.smudge "$EVIL"; echo "* filter=x" > .git/info/attributes',
  "a program that shows differences": 'git config diff.external "$EVIL"',
  "an alias": 'git config alias.status "!$EVIL"',
  "a program that signs": 'git config commit.gpgSign true; git config gpg.program "$EVIL"',
  "settings that include others":
    'printf "[core]\\n\\tfsmonitor = $EVIL\\n" > .git/more; git config includeIf.gitdir:/.path more; git config include.path more',
  "settings of the work tree":
    'git config extensions.worktreeConfig true; git config --worktree core.fsmonitor "$EVIL"',
  "a hook": 'mkdir -p .git/hooks; cp "$EVIL" .git/hooks/pre-commit; cp "$EVIL" .git/hooks/reference-transaction',
  "a link in the place of the hooks":
    'rm -rf .git/hooks; mkdir evil.log; cp "$EVIL" evil.log/pre-commit; ln -s ../evil.log .git/hooks',
  "a link in the place of the settings":
    'cp .git/config evil.log; git config --file evil.log core.fsmonitor "$EVIL"; ln -sf ../evil.log .git/config',
  "a link in the place of info": 'rm -rf .git/info; ln -s "$USER_REPO/.git/info" .git/info',
  "a link in the place of the index": 'ln -sf "$USER_REPO/.git/index" .git/index',
  "the git folder of the user": 'echo "$USER_REPO/.git" > .git/commondir',
  "a file in the place of a submodule":
    'mkdir -p .git/modules/x; echo > .git/modules/x/file; git config core.fsmonitor "$EVIL"',
  "HEAD garbage": "echo garbage > .git/HEAD",
  "a HEAD that leads elsewhere": 'ln -sf "$USER_REPO/.git/HEAD" .git/HEAD',
  "folders in the place of files":
    "rm -f .git/info/exclude .git/config; mkdir -p .git/info/exclude/x .git/config/x .git/shallow/x",
};

const shell = (script: string, { evil, user }: { evil: string; user: string }) =>
  ["sh", "-c", `EVIL='${evil}'; USER_REPO='${user}'; ${script}`] as const;

describe("what an agent left for our git starts nothing, and leads nowhere", () => {
  /** A program that leaves evidence. */
  function evil(): { evil: string; evidence: string } {
    const [program, evidence] = [join(outside, "evil"), join(outside, "evidence")];
    writeFileSync(program, `#!/bin/sh\ntouch ${evidence}\n`, { mode: 0o755 });
    return { evil: program, evidence };
  }

  const cases = Object.entries(TRAPS).flatMap(([what, script]) => [
    { what, script, when: "in the same run" as const },
    { what, script, when: "when it is prepared again" as const },
  ]);

  test.for(cases)("$what, $when", async ({ script, when }) => {
    using at = await scene();
    const trap = evil();
    const before = digest(join(at.repo.dir, ".git"));
    const [program, ...args] = shell(script, { evil: trap.evil, user: at.repo.dir });
    if (when === "in the same run") await runCommand([program, ...args], { cwd: at.tree.root, timeoutMs: 60_000 });
    else spawnSync(program, args, { cwd: at.tree.root });
    rmSync(trap.evidence, { force: true });
    const tree = when === "in the same run" ? at.tree : await at.prepare();
    await tree.resetTo(await at.main.resolve("one"), { kind: "commit", ignored: "go" });
    at.inside.write({ "a.txt": "two\n" });
    expect(await tree.status()).toBe("changed");
    await tree.patch({ base: "main", head: await tree.worktreeTree() });
    expect(await tree.commitAll("two")).toMatchObject({ commit: expect.any(String) });
    expect(existsSync(trap.evidence)).toBe(false);
    expect(differing(before, digest(join(at.repo.dir, ".git")))).toEqual([]);
  });

  test.for([
    { what: "a file that names the user's repository", script: 'rm -rf .git; echo "gitdir: $USER_REPO/.git" > .git' },
    { what: "a link to the user's repository", script: 'rm -rf .git; ln -s "$USER_REPO/.git" .git' },
    {
      what: "refs that are the user's",
      script: 'rm -rf .git/refs .git/packed-refs; ln -s "$USER_REPO/.git/refs" .git/refs',
    },
    { what: "nothing", script: "rm -rf .git" },
  ])("a git folder that is gone is refused: $what", async ({ script }) => {
    for (const when of ["in the same run", "when it is prepared again"]) {
      using at = await scene();
      const before = digest(at.repo.dir);
      const [program, ...args] = shell(script, { evil: "", user: at.repo.dir });
      if (when === "in the same run") {
        await runCommand([program, ...args], { cwd: at.tree.root, timeoutMs: 60_000 });
        await expect(at.tree.commitAll("two")).rejects.toMatchObject({ kind: "failed" });
      } else spawnSync(program, args, { cwd: at.tree.root });
      await expect(at.prepare()).rejects.toMatchObject({ message: expect.stringMatching(/: move .*away/) });
      expect(differing(before, digest(at.repo.dir))).toEqual([]);
    }
  });

  test("in our own note, where we were killed before it was put back", async () => {
    using at = await scene();
    const { evil: program, evidence } = evil();
    const file = join(at.tree.gitDir, "anneal-workspace.json");
    const note = JSON.parse(readFileSync(file, "utf8"));
    const config = `${note.config}[core]\n\tfsmonitor = ${program}\n[filter "x"]\n\tclean = ${program}\n`;
    writeFileSync(file, JSON.stringify({ ...note, config, shallow: `${at.repo.git("rev-parse", "main")}\n` }));
    const tree = await at.prepare();
    at.inside.write({ "a.txt": "two\n", ".gitattributes": "* filter=x\n" });
    expect(await tree.commitAll("two")).toMatchObject({ commit: expect.any(String) });
    expect([existsSync(evidence), existsSync(join(tree.gitDir, "shallow"))]).toEqual([false, false]);
    expect(at.inside.git("config", "core.repositoryformatversion")).toBe("0");
  });

  test("in a submodule", async () => {
    const [library, repo] = [fresh(join(outside, "library")), makeRepo({ "a.txt": "one\n" })];
    repo.git("submodule", "--quiet", "add", library.dir, "sub");
    repo.git("submodule", "--quiet", "add", library.dir, "later");
    repo.commit({}, "subs");
    repo.git("submodule", "--quiet", "deinit", "--force", "later");
    using at = await scene({ repo });
    const trap = evil();
    const set = ["sub", "later"].map(
      (name) =>
        `git -C ${name} config filter.x.clean "$EVIL"; git -C ${name} config filter.x.smudge "$EVIL"; mkdir -p .git/modules/${name}/info; echo '* filter=x' > .git/modules/${name}/info/attributes`,
    );
    const script = [
      "git -c protocol.file.allow=always submodule --quiet update --init later",
      ...set,
      "echo two > sub/a.txt; echo two > later/a.txt",
    ];
    const [program, ...args] = shell(script.join("\n"), { evil: trap.evil, user: at.repo.dir });
    expect(await runCommand([program, ...args], { cwd: at.tree.root, timeoutMs: 60_000 })).toMatchObject({ status: 0 });
    rmSync(trap.evidence, { force: true });
    const since = await at.main.resolve("one");
    await expect(at.tree.worktreeTree({ since })).rejects.toMatchObject({ kind: "beyond-reach" });
    await at.tree.resetTo(since, { kind: "commit" });
    expect([text(at.tree.root, "sub/a.txt"), text(at.tree.root, "later/a.txt")]).toEqual(["one\n", "one\n"]);
    expect(existsSync(trap.evidence)).toBe(false);
  });

  const IN_SUB = `
    git -C sub config filter.x.clean "$EVIL"; echo two > sub/f
    home=$(git -C sub rev-parse --absolute-git-dir); echo '* filter=x' > "$home/info/attributes"`;
  const MAKES = `git init -q sub; echo one > sub/f; git -C sub add f
    git -C sub -c user.name=x -c user.email=x@x commit -qm one; git add sub 2>/dev/null`;

  test.for([
    { what: "a folder of its own", script: "" },
    {
      what: "a pointer to a folder among ours that leads elsewhere",
      script:
        "mv sub/.git real; mkdir -p .git/modules/x; cp real/HEAD real/index .git/modules/x; echo ../../../real > .git/modules/x/commondir; echo 'gitdir: ../.git/modules/x' > sub/.git",
    },
    {
      what: "a pointer to a folder within one of ours",
      script:
        "mkdir -p .git/modules/x; cp sub/.git/HEAD .git/modules/x/HEAD; mv sub/.git .git/modules/x/objects; echo 'gitdir: ../.git/modules/x/objects' > sub/.git",
    },
  ])("in a repository that it has staged as a link: $what", async ({ script }) => {
    using at = await scene();
    const trap = evil();
    const since = await at.main.resolve("one");
    const [program, ...args] = shell(`${MAKES}${IN_SUB}\n${script}`, { evil: trap.evil, user: at.repo.dir });
    expect(await runCommand([program, ...args], { cwd: at.tree.root, timeoutMs: 60_000 })).toMatchObject({ status: 0 });
    rmSync(trap.evidence, { force: true });
    const refused = {
      kind: "beyond-reach",
      message: expect.stringContaining("made a repository of its own in sub"),
    };
    await expect(at.tree.worktreeTree({ since })).rejects.toMatchObject(refused);
    await expect(at.tree.commitAll("two")).rejects.toMatchObject(refused);
    expect(await at.tree.status()).toBe("changed");
    await at.tree.snapshot();
    await at.tree.restore({ head: since, tree: null });
    expect([await at.tree.status(), existsSync(trap.evidence)]).toEqual(["clean", false]);
  });
});
