import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
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

  const evil = "$(git -c user.name=x -c user.email=x@y commit-tree -p main -m evil $(git write-tree))";
  const acts = {
    "moves a branch": `git update-ref refs/heads/main ${evil}`,
    "makes a branch of somebody's go away": "git branch -q -D precious",
    "moves a tag": `git update-ref refs/tags/v1 ${evil}`,
    "has another commit stand for one": `git replace main ${evil}`,
    "leaves half a rebase": "mkdir -p $COMMON/rebase-merge; echo x > $COMMON/rebase-merge/git-rebase-todo",
    "leaves half a merge": "echo x > $COMMON/MERGE_HEAD",
    "cuts history off": "echo x > $COMMON/shallow",
    "packs refs of its own": "echo x > $COMMON/packed-refs",
  };
  const refs = () => repo.git("for-each-ref", "--format=%(refname) %(objectname)");
  const shared = () => readdirSync(join(repo.dir, ".git")).filter((name) => name !== "anneal");

  test.runIf(works).for(Object.entries(acts))("changes nothing that others stand on: $0", async ([, act]) => {
    repo.git("branch", "precious", repo.commit({ "mine.txt": "mine\n" }, "mine"));
    repo.git("reset", "--quiet", "--hard", "HEAD^");
    repo.git("tag", "v1");
    hook(`COMMON=$(git rev-parse --git-common-dir)\n(${act}) 2>/dev/null\nexit 0`);
    const before = { refs: refs(), shared: shared() };
    const { commit } = (await tree.commitAll("two")) as { commit: string };
    expect({ refs: refs().replace(commit, inTree("rev-parse", "a^")), shared: shared() }).toEqual(before);
  });

  test.for([
    {
      what: "moves a branch",
      act: acts["moves a branch"],
      says: /^the pre-commit hook moved refs\/heads\/main, which was put/,
    },
    {
      what: "takes a branch away",
      act: acts["makes a branch of somebody's go away"],
      says: /moved refs\/heads\/precious away \(its commits are kept as refs\/anneal\/kept\//,
    },
  ])("has refused where nothing shuts it in and it $what", async ({ act, says }) => {
    repo.git("branch", "precious", repo.commit({ "mine.txt": "mine\n" }, "mine"));
    repo.git("reset", "--quiet", "--hard", "HEAD^");
    const main = repo.git("rev-parse", "main");
    hook(act);
    withoutBubblewrap();
    expect(await tree.commitAll("two")).toEqual({ refused: expect.stringMatching(says) });
    expect(repo.git("rev-parse", "main")).toBe(main);
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

  const ours = "git stash push --quiet --keep-index --include-untracked";
  const boxes = [{ box: "shut in" as const }, { box: "on a machine without bubblewrap" as const }];
  const enter = (box: (typeof boxes)[number]["box"]) => box !== "shut in" && withoutBubblewrap();

  test.for(boxes)("puts what is not staged away and takes it back, $box", async ({ box }) => {
    hook(`${ours} && git reset --quiet --hard && git stash pop --quiet --index`);
    enter(box);
    const { commit } = (await tree.commitAll("two")) as { commit: string };
    expect(repo.git("show", `${commit}:a.txt`)).toBe("two");
    expect(inTree("status", "--short")).toBe("");
    expect(repo.git("stash", "list")).toBe("");
  });

  test.for(boxes)("leaves nothing in the stash, whose other entries are a person's, $box", async ({ box }) => {
    for (const text of ["mine", "mine as well"]) {
      repo.write({ "a.txt": text });
      repo.git("stash", "push", "--quiet", "-m", text);
    }
    repo.git("pack-refs", "--all", "--prune");
    const before = repo.git("stash", "list", "--format=%gd %H %gs");
    hook(`${ours}; ${ours} --message again; echo no; exit 1`);
    enter(box);
    expect(await tree.commitAll("two")).toEqual({ refused: "no" });
    expect(repo.git("stash", "list", "--format=%gd %H %gs")).toBe(before);
  });

  test.runIf(works)("does not get at what a person has put away, nor puts files where they go away", async () => {
    repo.write({ "a.txt": "mine" });
    repo.git("stash", "push", "--quiet");
    repo.git("pack-refs", "--all", "--prune");
    hook(
      "git stash list | grep . && exit 1; git stash pop 2>/dev/null && exit 1; mkdir ../../.git/lfs && exit 1; exit 0",
    );
    expect(await tree.commitAll("two")).toMatchObject({ commit: expect.any(String) });
  });

  test("sees branches and where others lead", async () => {
    repo.git("update-ref", "refs/remotes/origin/main", "main");
    repo.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main");
    hook("git symbolic-ref refs/remotes/origin/HEAD && git rev-parse main HEAD; exit 1");
    const main = repo.git("rev-parse", "main");
    expect(await tree.commitAll("two")).toEqual({ refused: `refs/remotes/origin/main\n${main}\n${main}` });
  });

  test("has refused where it leaves conflicts, by name", async () => {
    const blobs = 'id=$(git hash-object -w a.txt); for n in 1 2 3; do printf "100644 $id $n\\ta.txt\\n"; done';
    hook(`git rm --quiet --cached a.txt; (${blobs}) | git update-index --index-info`);
    const refused = "the pre-commit hook left conflicts in the index: a.txt";
    expect(await tree.commitAll("two")).toEqual({ refused });
  });

  test("refuses, and is heard", async () => {
    hook("echo no semicolons; exit 1");
    expect(await tree.commitAll("two")).toEqual({ refused: "no semicolons" });
  });

  test("runs also where the user's own settings say where hooks lie", async () => {
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

/** Every git that is started from now on, by its arguments. */
function listenToGit(): () => string[] {
  const heard = join(elsewhere, "heard");
  writeFileSync(join(elsewhere, "git"), `#!/bin/sh\necho "$*" >> ${heard}\nexec /usr/bin/git "$@"\n`, { mode: 0o755 });
  vi.stubEnv("PATH", `${elsewhere}:${process.env.PATH}`);
  return () => readFileSync(heard, "utf8").split("\n").filter(Boolean);
}

const ownHook = (name: string, script: string, folder = join(repo.dir, ".git/hooks")) => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
};

test.for([
  { what: "none", act: () => {}, ran: [] },
  { what: "one", act: () => ownHook("commit-msg", "exit 0"), ran: ["commit-msg"] },
  {
    what: "one that only settings name, which newer gits start",
    act: () => repo.git("config", "hook.lint.command", "true"),
    ran: ["pre-commit", "commit-msg"],
  },
])("git is asked to run what hooks there are: $what", async ({ act, ran }) => {
  act();
  const heard = listenToGit();
  expect(await tree.commitAll("two")).toMatchObject({ commit: expect.any(String) });
  const runs = heard().flatMap((line) => / hook run --ignore-missing (\S+)/.exec(line)?.slice(1) ?? []);
  expect(runs).toEqual(ran);
});

test("a hook of the user's own may put the others elsewhere", async () => {
  ownHook("commit-msg", "echo moved; exit 1", join(elsewhere, "hooks"));
  ownHook("pre-commit", `git config core.hooksPath ${join(elsewhere, "hooks")}`);
  expect(await tree.commitAll("two")).toEqual({ refused: "moved" });
});

test("what a hook says is cut where it is very much, and shows that", async () => {
  ownHook("pre-commit", "printf %030000d 1; exit 1");
  expect(await tree.commitAll("two")).toEqual({ refused: `…${"0".repeat(19_999)}1` });
});

test.for([
  { whose: "the user's own", act: () => ownHook("pre-commit", "echo slow; sleep 9") },
  {
    whose: "one that is judged",
    act: () => {
      repo.git("config", "core.hooksPath", ".husky");
      hook("echo slow; sleep 9");
    },
  },
])("a hook that hangs is ended, and has refused: $whose", async ({ act }) => {
  act();
  const refused = expect.stringMatching(/^slow\nthe pre-commit hook was not done after 1 s and was ended$/);
  expect(await tree.commitAll("two", { hooks: { timeoutMs: 1_000 } })).toEqual({ refused });
});

const IMPATIENT = { now: () => 0, sleep: async () => {} };

test("hooks of one repository run one at a time, since its worktrees share the stash", async () => {
  const busy = join(elsewhere, "busy");
  const script = `#!/bin/sh\nmkdir ${busy} || exit 1\nsleep 0.1\nrmdir ${busy}\n`;
  mkdirSync(join(repo.dir, ".git/hooks"), { recursive: true });
  writeFileSync(join(repo.dir, ".git/hooks/pre-commit"), script, { mode: 0o755 });
  const main = await openRepo(repo.dir, { clock: IMPATIENT });
  const trees = await Promise.all(
    ["b", "c"].map((branch) => main.addWorktree({ path: `.worktrees/${branch}`, branch, startPoint: "main" })),
  );
  for (const each of trees) writeFileSync(join(each.root, "a.txt"), "two\n");
  const waits: string[] = [];
  const hooks = { onWait: (root: string) => waits.push(root) };
  const prepared = await Promise.all(trees.map((each) => each.prepareCommit({ message: "x", hooks })));
  expect(waits).toEqual([expect.stringMatching(/\.worktrees\/[bc]$/)]);
  expect(prepared).toEqual([expect.objectContaining({ message: "x\n" }), expect.objectContaining({ message: "x\n" })]);
});

test("whoever waits for the hooks of another can be stopped meanwhile", async () => {
  const go = join(elsewhere, "go");
  const begun = join(elsewhere, "begun");
  ownHook("pre-commit", `touch ${begun}; until test -e ${go}; do sleep 0.02; done`);
  const main = await openRepo(repo.dir, { clock: IMPATIENT });
  const other = await main.addWorktree({ path: ".worktrees/b", branch: "b", startPoint: "main" });
  writeFileSync(join(other.root, "a.txt"), "two\n");
  const stop = new AbortController();
  const first = tree.commitAll("two");
  await vi.waitFor(() => expect(existsSync(begun)).toBe(true));
  const onWait = () => stop.abort();
  const second = other.commitAll("two", { signal: stop.signal, hooks: { onWait } });
  await expect(second).rejects.toThrow("aborted");
  writeFileSync(go, "");
  expect(await first).toMatchObject({ commit: expect.any(String) });
});
