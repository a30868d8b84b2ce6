import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { writeAtomic } from "../files/atomic.ts";
import { openRepo } from "../git/index.ts";
import { makeRepo, type TestRepo } from "../testing/make-repo.ts";
import { guardGit } from "./git-guard.ts";

let repo: TestRepo;
let tree: string;
let pointer: string;
const at = (path: string) => join(repo.dir, ".git", path);
beforeEach(async () => {
  repo = makeRepo({ "a.txt": "one\n" });
  const main = await openRepo(repo.dir);
  tree = (await main.addWorktree({ path: ".worktrees/a", branch: "a", startPoint: "main" })).root;
  pointer = readFileSync(join(tree, ".git"), "utf8");
});
const made: string[] = [];
afterEach(() => {
  repo.remove();
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true });
});

describe("what leads git from a worktree to its repository is put back and named, where", () => {
  test.for<{ what: string; act: () => void; named: string }>([
    { what: "its pointer is gone", act: () => rmSync(join(tree, ".git")), named: ".git" },
    {
      what: "its pointer leads elsewhere",
      act: () => writeFileSync(join(tree, ".git"), `gitdir: ${repo.dir}/.git\n`),
      named: ".git",
    },
    {
      what: "a link stands in its place",
      act: () => {
        rmSync(join(tree, ".git"));
        symlinkSync(at("."), join(tree, ".git"));
      },
      named: ".git",
    },
    { what: "all of the worktree is gone", act: () => rmSync(tree, { recursive: true }), named: ".git" },
    {
      what: "a link stands in the place of the worktree",
      act: () => {
        rmSync(tree, { recursive: true });
        symlinkSync(repo.dir, tree);
      },
      named: ".git",
    },
    {
      what: "git's record of it is gone",
      act: () => rmSync(at("worktrees/a"), { recursive: true }),
      named: ".git/worktrees/a/HEAD",
    },
    {
      what: "its HEAD is empty",
      act: () => writeFileSync(at("worktrees/a/HEAD"), ""),
      named: ".git/worktrees/a/HEAD",
    },
    {
      what: "its HEAD says nothing to git",
      act: () => writeFileSync(at("worktrees/a/HEAD"), "junk\n"),
      named: ".git/worktrees/a/HEAD",
    },
    {
      what: "a link that leads to no ref stands in the place of its HEAD",
      act: () => {
        rmSync(at("worktrees/a/HEAD"));
        symlinkSync("/dev/null", at("worktrees/a/HEAD"));
      },
      named: ".git/worktrees/a/HEAD",
    },
    {
      what: "git's record names another repository",
      act: () => writeFileSync(at("worktrees/a/commondir"), "/elsewhere\n"),
      named: ".git/worktrees/a/commondir",
    },
  ])("$what", ({ act, named }) => {
    const guard = guardGit(tree, "pointer");
    act();
    expect(guard.putBack()).toContain(named);
    expect(readFileSync(join(tree, ".git"), "utf8")).toBe(pointer);
    expect(repo.git("-C", tree, "symbolic-ref", "HEAD")).toBe("refs/heads/a");
    expect(existsSync(join(repo.dir, "a.txt")), "the user's own files are where they were").toBe(true);
    expect(guard.putBack()).toEqual([]);
  });
});

describe("what can make git start programs is put back, and kept where it may be a person's, where somebody", () => {
  test.for<{ what: string; act: () => void; named: string }>([
    { what: "sets where hooks lie", act: () => repo.git("config", "core.hooksPath", "evil"), named: ".git/config" },
    { what: "adds a hook", act: () => writeFileSync(at("hooks/pre-commit"), "evil"), named: ".git/hooks/pre-commit" },
    {
      what: "names attributes",
      act: () => writeFileSync(at("info/attributes"), "* filter=x"),
      named: ".git/info/attributes",
    },
    {
      what: "makes a hook of an example",
      act: () => chmodSync(at("hooks/mine"), 0o755),
      named: ".git/hooks/mine",
    },
    {
      what: "puts a link in the place of all hooks",
      act: () => {
        rmSync(at("hooks"), { recursive: true });
        symlinkSync(tree, at("hooks"));
      },
      named: ".git/hooks",
    },
    {
      what: "puts a file in the place of all hooks",
      act: () => {
        rmSync(at("hooks"), { recursive: true });
        writeFileSync(at("hooks"), "");
      },
      named: ".git/hooks",
    },
  ])("$what", ({ act, named }) => {
    mkdirSync(at("hooks"), { recursive: true });
    writeFileSync(at("hooks/mine"), "mine", { mode: 0o644 });
    const config = readFileSync(at("config"), "utf8");
    const guard = guardGit(tree, "settings");
    act();
    const names = guard.putBack();
    expect(names.map((name) => name.split(" ")[0])).toContain(named);
    const kept = /kept as (.+)\)$/.exec(names.find((name) => name.startsWith(`${named} `)) ?? "")?.[1] ?? "";
    expect(kept).toContain("/anneal/put-back-");
    expect(readFileSync(at("config"), "utf8")).toBe(config);
    expect(readFileSync(at("hooks/mine"), "utf8")).toBe("mine");
    expect(existsSync(at("hooks/pre-commit"))).toBe(false);
    expect(guard.putBack()).toEqual([]);
  });
});

function submodule(name: string): void {
  const lib = join(repo.dir, "..", `${basename(repo.dir)}-lib`);
  mkdirSync(lib);
  made.push(lib);
  repo.git("init", "-q", "-b", "main", lib);
  repo.git("-C", lib, "commit", "-q", "--allow-empty", "-m", "lib");
  repo.git("submodule", "--quiet", "add", "--name", name, lib, "lib");
  repo.git("commit", "-qm", "add lib");
}
/** Checks a submodule out in a linked work tree that lies elsewhere. */
function linkedSubmodule(): void {
  if (!existsSync(at("modules/lib"))) submodule("lib");
  made.push(`${repo.dir}-other`);
  repo.git("worktree", "add", "-q", elsewhere(), "main", "-b", "other");
  repo.git("-C", elsewhere(), "submodule", "--quiet", "update", "--init");
}
const elsewhere = () => `${repo.dir}-other/linked`;
const OTHERS = "worktrees/linked/modules/lib/config";
const set = (file: string, ...args: string[]) => void repo.git("config", "--file", at(file), ...args);

const ORDINARY: { what: string; first?: () => void; act: () => void | Promise<void> }[] = [
  { what: "commits", act: () => void repo.git("-C", tree, "commit", "-qm", "x", "--allow-empty") },
  { what: "makes a branch that follows another", act: () => void repo.git("branch", "--track", "b", "main") },
  { what: "is this process, which hides files", act: () => writeAtomic(at("info/exclude"), "/made/\n") },
  { what: "collects garbage", act: () => void repo.git("gc", "-q") },
  { what: "adds an example of a hook", act: () => repo.write({ ".git/hooks/pre-push.sample": "exit 1" }) },
  { what: "takes an example of a hook away", first: sample, act: () => rmSync(at("hooks/mine.sample")) },
  { what: "adds a submodule", act: () => submodule("lib") },
  { what: "adds a submodule whose name has folders", act: () => submodule("libs/logs/a") },
  {
    what: "works in a submodule with a branch called config",
    first: () => submodule("hooks"),
    act: () => void repo.git("-C", join(repo.dir, "lib"), "switch", "-qc", "config"),
  },
  {
    what: "takes a submodule away",
    first: () => submodule("lib"),
    act: () => {
      repo.git("rm", "-qf", "lib");
      rmSync(at("modules/lib"), { recursive: true });
      repo.git("config", "--remove-section", "submodule.lib");
    },
  },
  { what: "checks a submodule out in a linked work tree", first: () => submodule("lib"), act: linkedSubmodule },
  {
    what: "takes a linked work tree away that has a submodule",
    first: linkedSubmodule,
    act: () => void repo.git("worktree", "remove", "--force", elsewhere()),
  },
  { what: "adds a remote", act: () => void repo.git("remote", "add", "origin", "https://example.com/x.git") },
  {
    what: "takes a remote away",
    first: () => void repo.git("remote", "add", "origin", "https://example.com/x.git"),
    act: () => void repo.git("remote", "remove", "origin"),
  },
  { what: "sets a name", act: () => set("config", "user.name", "Kim") },
  {
    what: "sets a name for the main work tree only",
    act: () => set("config.worktree", "user.name", "Kim"),
  },
];

test.for(ORDINARY)("whoever $what has changed nothing of it", async ({ first, act }) => {
  first?.();
  const guard = guardGit(tree, "settings");
  await act();
  const config = readFileSync(at("config"), "utf8");
  expect(guard.putBack()).toEqual([]);
  expect(readFileSync(at("config"), "utf8")).toBe(config);
});

describe("git's files are put back as well, where somebody", () => {
  test.for<{ what: string; first?: () => void; act: () => void; named: string }>([
    ...["exclude", "attributes", "sparse-checkout", "grafts"].map((name) => ({
      what: `writes info/${name}`,
      act: () => repo.write({ [`.git/info/${name}`]: "* filter=x\n" }),
      named: `.git/info/${name}`,
    })),
    { what: "breaks the settings", act: () => writeFileSync(at("config"), "[core\n"), named: ".git/config" },
    { what: "takes the settings away", act: () => rmSync(at("config")), named: ".git/config" },
    {
      what: "takes a setting away",
      first: () => set("config", "core.hooksPath", "mine"),
      act: () => set("config", "--unset", "core.hooksPath"),
      named: ".git/config",
    },
    {
      what: "sets a program for the main work tree only",
      act: () => set("config.worktree", "core.fsmonitor", "evil"),
      named: ".git/config.worktree",
    },
    {
      what: "adds a submodule that starts a program",
      act: () => {
        submodule("lib");
        set("modules/lib/config", "core.fsmonitor", "evil");
      },
      named: ".git/modules/lib/config",
    },
    {
      what: "adds a submodule with a hook",
      act: () => {
        submodule("lib");
        repo.write({ ".git/modules/lib/hooks/post-checkout": "evil" });
      },
      named: ".git/modules/lib/hooks/post-checkout",
    },
    ...["/", "../../../..", "../../../", "../../hooks"].map((place) => ({
      what: `adds a submodule with its files in ${place}`,
      act: () => {
        submodule("lib");
        set("modules/lib/config", "core.worktree", place);
      },
      named: ".git/modules/lib/config",
    })),
    {
      what: "sets a program in a submodule called logs",
      first: () => submodule("logs"),
      act: () => set("modules/logs/config", "core.fsmonitor", "evil"),
      named: ".git/modules/logs/config",
    },
    ...["core.sshCommand", "filter.x.smudge"].map((name) => ({
      what: `sets ${name} in a submodule of a linked work tree`,
      first: linkedSubmodule,
      act: () => set(OTHERS, name, "evil"),
      named: `.git/${OTHERS}`,
    })),
    {
      what: "checks a submodule of a linked work tree out elsewhere",
      act: () => {
        linkedSubmodule();
        set(OTHERS, "core.worktree", repo.dir);
      },
      named: `.git/${OTHERS}`,
    },
    {
      what: "takes the settings of a submodule away",
      first: () => submodule("lib"),
      act: () => rmSync(at("modules/lib/config")),
      named: ".git/modules/lib/config",
    },
    {
      what: "moves the files of a submodule",
      first: () => submodule("lib"),
      act: () => set("modules/lib/config", "core.worktree", "../../../other"),
      named: ".git/modules/lib/config",
    },
    {
      what: "puts a link in the place of a submodule",
      first: () => submodule("lib"),
      act: () => {
        renameSync(at("modules/lib"), join(tree, "lib"));
        symlinkSync(join(tree, "lib"), at("modules/lib"));
      },
      named: ".git/modules/lib",
    },
  ])("$what", ({ first, act, named }) => {
    first?.();
    const place = join(repo.dir, named);
    const before = readIfThere(place);
    const guard = guardGit(tree, "settings");
    act();
    expect(guard.putBack().map((name) => name.split(" ")[0])).toContain(named);
    if (named !== ".git/modules/lib") expect(readIfThere(place)).toBe(before);
    expect(guard.putBack()).toEqual([]);
  });
});

test("what this process wrote is put back where somebody puts a file in the place of its folder", async () => {
  await writeAtomic(at("info/exclude"), "/made/\n");
  const guard = guardGit(tree, "settings");
  rmSync(at("info"), { recursive: true });
  writeFileSync(at("info"), "");
  expect(guard.putBack().map((name) => name.split(" ")[0])).toEqual([".git/info/exclude", ".git/info"]);
  expect(readIfThere(at("info/exclude"))).toBe("/made/\n");
});

describe("of two guards of this process", () => {
  test.for<{ what: string; act: () => void; path: string }>([
    { what: "a setting", act: () => set("config", "core.editor", "vi"), path: "config" },
    { what: "a hook", act: () => repo.write({ ".git/hooks/pre-push": "exit 1" }), path: "hooks/pre-push" },
  ])("the second takes what the first puts back for no doing of its own agent: $what", ({ act, path }) => {
    const before = readIfThere(at(path));
    const first = guardGit(tree, "settings");
    act();
    const second = guardGit(tree, "settings");
    expect(first.putBack()).toHaveLength(1);
    expect(second.putBack()).toEqual([]);
    expect(readIfThere(at(path))).toBe(before);
  });

  test("the second does not bring back what the first has taken away, whatever its own agent did", () => {
    const config = readFileSync(at("config"), "utf8");
    const first = guardGit(tree, "settings");
    set("config", "core.editor", "evil");
    const second = guardGit(tree, "settings");
    first.putBack();
    set("config", "core.pager", "evil");
    expect(second.putBack()).toHaveLength(1);
    expect(readFileSync(at("config"), "utf8")).toBe(config);
  });

  test("one that begins later does not take what its agent undoes for what was put back before", () => {
    const first = guardGit(tree, "settings");
    repo.write({ ".git/hooks/pre-push": "evil" });
    first.putBack();
    repo.write({ ".git/hooks/pre-push": "mine" });
    const later = guardGit(tree, "settings");
    rmSync(at("hooks/pre-push"));
    expect(later.putBack()).toEqual([".git/hooks/pre-push"]);
    expect(readIfThere(at("hooks/pre-push"))).toBe("mine");
  });
});

function sample(): void {
  repo.write({ ".git/hooks/mine.sample": "exit 1" });
}

function readIfThere(path: string): string | null {
  return existsSync(path) && statSync(path).isFile() ? readFileSync(path, "utf8") : null;
}

test.for<{ what: string; act: () => void }>([
  { what: "a link leads out of it", act: () => symlinkSync(tree, at("anneal")) },
  { what: "a file stands in its way", act: () => writeFileSync(at("anneal"), "") },
])("settings are put back also where they cannot be kept, as $what", ({ act }) => {
  rmSync(at("anneal"), { recursive: true, force: true });
  const before = readFileSync(at("config"), "utf8");
  const guard = guardGit(tree, "settings");
  act();
  writeFileSync(at("config"), `${before}[core]\n\thooksPath = /evil\n`);
  expect(guard.putBack()).toEqual([join(".git", "config")]);
  expect(readFileSync(at("config"), "utf8")).toBe(before);
  expect(existsSync(join(tree, "config"))).toBe(false);
});
