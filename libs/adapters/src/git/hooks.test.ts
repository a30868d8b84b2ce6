import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { probeSandbox } from "../sandbox/index.ts";
import { makeRepo, type TestRepo } from "../testing/make-repo.ts";
import { openRepo, type Repo } from "./index.ts";

const works = (await probeSandbox()).state === "works";

let repo: TestRepo;
let tree: Repo;
let elsewhere: string;
beforeEach(async () => {
  repo = makeRepo({ "a.txt": "one\n", ".husky/pre-commit": "#!/bin/sh\nexit 0\n" });
  elsewhere = mkdtempSync(join(tmpdir(), "anneal-elsewhere-"));
  const main = await openRepo(repo.dir);
  tree = await main.addWorktree({ path: ".worktrees/a", branch: "a", startPoint: "main" });
  writeFileSync(join(tree.root, "a.txt"), "two\n");
});
afterEach(() => {
  vi.unstubAllEnvs();
  repo.remove();
  rmSync(elsewhere, { recursive: true, force: true });
});

/** What an agent makes of a hook in the work tree that it was given. */
function hook(script: string, { name = "pre-commit", folder = ".husky" } = {}): void {
  mkdirSync(join(tree.root, folder), { recursive: true });
  writeFileSync(join(tree.root, folder, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(tree.root, folder, name), 0o755);
}

const inTree = (...args: string[]) => repo.git("-C", tree.root, ...args);

/** A machine without bubblewrap. */
function withoutBubblewrap(): void {
  for (const name of ["git", "sh", "cat"]) symlinkSync(join("/usr/bin", name), join(elsewhere, name));
  vi.stubEnv("PATH", elsewhere);
}

describe("a hook that lies in the work tree, and so is part of what is judged,", () => {
  beforeEach(() => repo.git("config", "core.hooksPath", ".husky"));

  test.runIf(works).for([
    { what: "a folder of its own", folder: ".husky" },
    { what: "a folder that a link leads to", folder: "scripts" },
  ])("writes nothing outside of it and of git's history: $what", async ({ folder }) => {
    if (folder !== ".husky") {
      rmSync(join(tree.root, ".husky"), { recursive: true });
      symlinkSync(folder, join(tree.root, ".husky"));
    }
    const evil = [join(elsewhere, "evidence"), join(repo.dir, "a.txt"), join(repo.dir, ".git/hooks/pre-push")];
    const writes = evil.map((path) => `echo evil 2>/dev/null > ${path}`);
    hook(`touch ran\n${writes.join("\n")}\ngit config core.fsmonitor evil\nexit 0`, { folder });
    const config = readFileSync(join(repo.dir, ".git/config"), "utf8");
    expect(await tree.commitAll("two")).toMatchObject({ commit: expect.any(String) });
    expect(existsSync(join(tree.root, "ran"))).toBe(true);
    expect(existsSync(join(elsewhere, "evidence"))).toBe(false);
    expect(existsSync(join(repo.dir, ".git/hooks/pre-push"))).toBe(false);
    expect(readFileSync(join(repo.dir, "a.txt"), "utf8")).toBe("one\n");
    expect(readFileSync(join(repo.dir, ".git/config"), "utf8")).toBe(config);
  });

  test("stages files, uses the stash, and words the message", async () => {
    repo.git("stash", "list");
    const staged = "echo formatted >> a.txt; git add a.txt";
    hook(`${staged}\nid=$(git stash create)\ngit stash store --quiet "$id"\ngit stash drop --quiet`);
    hook('echo "more" >> "$1"', { name: "commit-msg" });
    expect(await tree.commitAll("two")).toMatchObject({ commit: expect.any(String) });
    expect(inTree("show", "HEAD:a.txt")).toBe("two\nformatted");
    expect(inTree("log", "-1", "--format=%B").trim()).toBe("two\nmore");
    expect(repo.git("stash", "list")).toBe("");
  });

  test("refuses, and is heard", async () => {
    hook("echo no semicolons; exit 1");
    expect(await tree.commitAll("two")).toEqual({ refused: "no semicolons" });
  });

  test("runs also where the user's own settings say where hooks lie", async () => {
    repo.git("config", "--unset", "core.hooksPath");
    writeFileSync(join(elsewhere, ".gitconfig"), "[core]\n\thooksPath = .husky\n");
    vi.stubEnv("HOME", elsewhere);
    hook("echo heard; exit 1");
    expect(await tree.commitAll("two")).toEqual({ refused: "heard" });
  });

  test("changes no settings where nothing shuts it in, and has refused where it tried", async () => {
    withoutBubblewrap();
    hook("git config core.fsmonitor evil");
    expect(await tree.commitAll("two")).toEqual({ refused: expect.stringMatching(/hook changed \.git\/config/) });
    expect(readFileSync(join(repo.dir, ".git/config"), "utf8")).not.toContain("fsmonitor");
  });
});

test("a hook of the user's own runs as the user's programs do", async () => {
  mkdirSync(join(repo.dir, ".git/hooks"), { recursive: true });
  const evidence = join(elsewhere, "evidence");
  writeFileSync(join(repo.dir, ".git/hooks/pre-commit"), `#!/bin/sh\ntouch ${evidence}\n`, { mode: 0o755 });
  expect(await tree.commitAll("two")).toMatchObject({ commit: expect.any(String) });
  expect(existsSync(evidence)).toBe(true);
});
