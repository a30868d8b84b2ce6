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
import { probeSandbox } from "@anneal/system/sandbox/probe";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { workspacesOf } from "../../../../workspace/src/index.ts";
import { workspaceOf } from "../../../../workspace/src/testing/workspace-of.ts";
import { openRepo, type Repo } from "../../index.ts";
import { makeRepo, type TestRepo } from "../../testing/make-repo.ts";

const works = (await probeSandbox()).state === "works";

let repo: TestRepo;
let tree: Repo;
let elsewhere: string;
beforeEach(async () => {
  repo = makeRepo({ "a.txt": "one\n", ".husky/pre-commit": "#!/bin/sh\nexit 0\n" });
  elsewhere = mkdtempSync(join(tmpdir(), "anneal-elsewhere-"));
  tree = await workspaceOf(repo, "a");
  writeFileSync(join(tree.root, "a.txt"), "two\n");
});
afterEach(() => {
  vi.unstubAllEnvs();
  repo.remove();
  rmSync(elsewhere, { recursive: true, force: true });
});

/** The workspace goes by what the user has set meanwhile. */
const prepareAgain = async () =>
  await workspacesOf(await openRepo(repo.dir)).prepare({ name: "a", branch: "a", isOurs: true });

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
  beforeEach(async () => {
    repo.git("config", "core.hooksPath", ".husky");
    await prepareAgain();
  });

  test.runIf(works).for([
    { what: "a folder of its own", folder: ".husky" },
    { what: "a folder that a link leads to", folder: "scripts" },
  ])("writes nothing outside of it: $what", async ({ folder }) => {
    if (folder !== ".husky") {
      rmSync(join(tree.root, ".husky"), { recursive: true });
      symlinkSync(folder, join(tree.root, ".husky"));
    }
    const evil = [join(elsewhere, "evidence"), join(repo.dir, "a.txt"), join(repo.dir, ".git/hooks/pre-push")];
    const writes = evil.map((path) => `echo evil 2>/dev/null > ${path}`);
    hook(`touch ran\n${writes.join("\n")}\ngit config core.fsmonitor evil\nexit 0`, { folder });
    const settings = () => [repo.dir, tree.root].map((root) => readFileSync(join(root, ".git/config"), "utf8"));
    const before = settings();
    expect(await tree.commitAll("two")).toMatchObject({ commit: expect.any(String) });
    expect(existsSync(join(tree.root, "ran"))).toBe(true);
    expect(existsSync(join(elsewhere, "evidence"))).toBe(false);
    expect(existsSync(join(repo.dir, ".git/hooks/pre-push"))).toBe(false);
    expect(readFileSync(join(repo.dir, "a.txt"), "utf8")).toBe("one\n");
    expect(settings()).toEqual(before);
  });

  test("stages files, uses the stash, and words the message", async () => {
    const staged = "echo formatted >> a.txt; git add a.txt";
    hook(`${staged}\nid=$(git stash create)\ngit stash store --quiet "$id"\ngit stash drop --quiet`);
    hook('echo "more" >> "$1"', { name: "commit-msg" });
    expect(await tree.commitAll("two")).toMatchObject({ commit: expect.any(String) });
    expect(inTree("show", "HEAD:a.txt")).toBe("two\nformatted");
    expect(inTree("log", "-1", "--format=%B").trim()).toBe("two\nmore");
    expect(inTree("stash", "list")).toBe("");
  });

  const ours = "git stash push --quiet --keep-index --include-untracked";
  const boxes = [{ box: "shut in" as const }, { box: "on a machine without bubblewrap" as const }];
  const enter = (box: (typeof boxes)[number]["box"]) => box !== "shut in" && withoutBubblewrap();

  test.for(boxes)("puts what is not staged away and takes it back, $box", async ({ box }) => {
    hook(`${ours} && git reset --quiet --hard && git stash pop --quiet --index`);
    enter(box);
    const { commit } = (await tree.commitAll("two")) as { commit: string };
    expect(inTree("show", `${commit}:a.txt`)).toBe("two");
    expect(inTree("status", "--short")).toBe("");
    expect(inTree("stash", "list")).toBe("");
  });

  test("sees branches and where others lead, and nothing that a person has put away", async () => {
    repo.git("update-ref", "refs/remotes/origin/main", "main");
    repo.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main");
    repo.write({ "a.txt": "mine" });
    repo.git("stash", "push", "--quiet");
    tree = await workspaceOf(repo, "b");
    hook("git stash list; git symbolic-ref refs/remotes/origin/HEAD && git rev-parse main HEAD; exit 1");
    const main = repo.git("rev-parse", "main");
    expect(await tree.commitAll("two")).toEqual({ refused: `refs/remotes/origin/main\n${main}\n${main}` });
  });

  test("has refused where it leaves conflicts, by name", async () => {
    const blobs = 'id=$(git hash-object -w a.txt); for n in 1 2 3; do printf "100644 $id $n\\ta.txt\\n"; done';
    hook(`git rm --quiet --cached a.txt; (${blobs}) | git update-index --index-info`);
    const refused = "the pre-commit hook left conflicts in the index: a.txt";
    expect(await tree.commitAll("two")).toEqual({ refused });
  });

  test("refuses, and its words are shown", async () => {
    hook("echo no semicolons; exit 1");
    expect(await tree.commitAll("two")).toEqual({ refused: "no semicolons" });
  });

  test("runs also where the user's own settings say where hooks lie", async () => {
    writeFileSync(join(elsewhere, ".gitconfig"), "[core]\n\thooksPath = .husky\n");
    vi.stubEnv("HOME", elsewhere);
    hook("echo heard; exit 1");
    expect(await tree.commitAll("two")).toEqual({ refused: "heard" });
  });

  test("changes no settings, also where nothing shuts it in", async () => {
    withoutBubblewrap();
    const settings = readFileSync(join(tree.root, ".git/config"), "utf8");
    hook("git config core.fsmonitor evil; chmod -x .git/hooks/*; echo evil > .git/hooks/commit-msg");
    expect(await tree.commitAll("two")).toMatchObject({ commit: expect.any(String) });
    expect(readFileSync(join(tree.root, ".git/config"), "utf8")).toBe(settings);
    expect(readdirSync(join(tree.root, ".git/hooks"))).toEqual([]);
  });
});

test.runIf(works)("a hook of the user's own that runs a file of the tree changes nothing outside of it", async () => {
  const [home, data] = [join(elsewhere, "home"), join(elsewhere, "home/.anneal")];
  mkdirSync(data, { recursive: true });
  writeFileSync(join(data, "server-token"), "secret\n");
  writeFileSync(join(home, "settings"), "mine\n");
  vi.stubEnv("HOME", home);
  vi.stubEnv("DATA_DIR", data);
  await ownHook("pre-commit", "cat ~/settings; sh scripts/check.sh; exit 1");
  const evil = [join(home, "evidence"), join(repo.dir, "evidence"), join(repo.dir, ".git/hooks/pre-push")];
  mkdirSync(join(tree.root, "scripts"));
  const writes = evil.map((path) => `(echo evil > ${path}) 2>/dev/null`);
  writeFileSync(
    join(tree.root, "scripts/check.sh"),
    [...writes, `cat ${data}/server-token 2>/dev/null`, "touch ran", ""].join("\n"),
  );
  expect(await tree.commitAll("two")).toEqual({ refused: "mine" });
  expect(existsSync(join(tree.root, "ran"))).toBe(true);
  expect(evil.filter((path) => existsSync(path))).toEqual([]);
});

test("a hook of the user's own runs as the user's programs do", async () => {
  const evidence = join(elsewhere, "evidence");
  await ownHook("pre-commit", `touch ${evidence}`);
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

async function ownHook(name: string, script: string): Promise<void> {
  writeFileSync(join(repo.dir, ".git/hooks", name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  await prepareAgain();
}

test.for([
  { what: "none", act: () => {}, ran: [] },
  { what: "one", act: () => ownHook("commit-msg", "exit 0"), ran: ["commit-msg"] },
  {
    what: "one that only settings name, which newer gits start",
    act: async () => {
      repo.git("config", "hook.lint.command", "true");
      await prepareAgain();
    },
    ran: ["pre-commit", "commit-msg"],
  },
])("git is asked to run what hooks there are: $what", async ({ act, ran }) => {
  await act();
  const heard = listenToGit();
  expect(await tree.commitAll("two")).toMatchObject({ commit: expect.any(String) });
  const runs = heard().flatMap((line) => / hook run --ignore-missing (\S+)/.exec(line)?.slice(1) ?? []);
  expect(runs).toEqual(ran);
});

test("what a hook says is cut where it is very much, and shows that", async () => {
  await ownHook("pre-commit", "printf %030000d 1; exit 1");
  expect(await tree.commitAll("two")).toEqual({ refused: `…${"0".repeat(19_999)}1` });
});

test.for([
  { whose: "the user's own", act: () => ownHook("pre-commit", "echo slow; sleep 9") },
  {
    whose: "one that is judged",
    act: async () => {
      repo.git("config", "core.hooksPath", ".husky");
      await prepareAgain();
      hook("echo slow; sleep 9");
    },
  },
])("a hook that hangs is ended, and has refused: $whose", async ({ act }) => {
  await act();
  const refused = expect.stringMatching(/^slow\nthe pre-commit hook took longer than 1 s and was killed$/);
  expect(await tree.commitAll("two", { hooks: { timeoutMs: 1_000 } })).toEqual({ refused });
});
