import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { makeRepo, type TestRepo } from "../../../adapters/src/testing/make-repo.ts";
import { becomeOwner } from "./owner.ts";
import { entry } from "./testing/entries.ts";
import { inFolder, numbers, openFor, projectWithLog, tempProject } from "./testing/project.ts";

const WHOLE_LOG = ["anneal.db", "anneal.db-wal", "anneal.db-shm", "anneal.lock"];

describe.for([["only the database", ["anneal.db"]] as const, ["everything of a log", WHOLE_LOG] as const])(
  "a branch that tracks %s",
  ([, names]) => {
    test("takes away nothing of a log that is closed", () => {
      const repo = withOldBranch(names);
      fill(repo.dir);
      visit(repo);
      expect(told(() => eventsIn(repo.dir))).toMatch(/anneal\.db was gone.*put back/);
      expect(eventsIn(repo.dir)).toEqual([1, 2, 3]);
    });

    test("takes away nothing of a log whose owner was killed", () => {
      const repo = withOldBranch(names);
      fillAndDie(repo.dir);
      expect(existsSync(inFolder(repo.dir, "anneal.db-wal"))).toBe(true);
      visit(repo);
      expect(eventsIn(repo.dir)).toEqual([1, 2, 3]);
      expect(openFor(repo.dir).check()).toEqual([]);
    });

    test("takes away nothing of a log that is open, and neither what is written meanwhile", () => {
      const repo = withOldBranch(names);
      const store = openFor(repo.dir);
      store.append("a", [entry(1)]);
      repo.git("checkout", "--quiet", "old");
      expect(told(() => store.append("a", [entry(2)]))).toMatch(/exchanged/);
      expect(told(() => store.append("a", [entry(3)]))).toBe("");
      repo.git("checkout", "--quiet", "main");
      const second = openFor(repo.dir);
      second.append("a", [entry(4)]);
      store.append("a", [entry(5)]);
      expect(numbers(second.events("a"))).toEqual([1, 2, 3, 4, 5]);
      store.close();
      second.close();
      expect(openFor(repo.dir).check()).toEqual([]);
      expect(eventsIn(repo.dir)).toEqual([1, 2, 3, 4, 5]);
    });

    test("does not make a second owner possible", () => {
      const repo = withOldBranch(names);
      const owner = becomeOwner(repo.dir);
      visit(repo);
      expect(becomeOwner(repo.dir)).toBeNull();
      owner?.release();
      const next = becomeOwner(repo.dir);
      expect(next).not.toBeNull();
      next?.release();
    });

    test("brings a log that is set aside, not used", () => {
      const repo = withOldBranch(names);
      fill(repo.dir);
      repo.git("checkout", "--quiet", "old");
      repo.git("rm", "--quiet", "-r", "--cached", ".automaker");
      repo.git("commit", "--quiet", "-m", "no log");
      expect(told(() => eventsIn(repo.dir))).toMatch(/set aside/);
      expect(eventsIn(repo.dir)).toEqual([1, 2, 3]);
      const [aside = ""] = readdirSync(join(repo.dir, ".automaker")).filter((name) => /set-aside-\w+$/.test(name));
      expect(readFileSync(inFolder(repo.dir, aside), "utf8")).toBe("theirs\n");
    });
  },
);

test("a branch that tracks only the journal takes away nothing of a log whose owner was killed", () => {
  const repo = withOldBranch(["anneal.db-wal"]);
  fillAndDie(repo.dir);
  visit(repo);
  expect(eventsIn(repo.dir)).toEqual([1, 2, 3]);
});

test("a branch on which `.automaker` is something else takes away nothing of the log", () => {
  const repo = makeRepo({ "a.txt": "a\n" });
  onTestFinished(() => repo.remove());
  repo.git("checkout", "--quiet", "-b", "old");
  repo.commit({ ".automaker": "a file\n" }, "theirs");
  repo.git("checkout", "--quiet", "main");
  writeFileSync(join(repo.dir, ".git/info/exclude"), "/.automaker/\n");
  fill(repo.dir);
  visit(repo);
  expect(eventsIn(repo.dir)).toEqual([1, 2, 3]);
});

test("a log that was opened before there were second names is kept from the next opening on", () => {
  const repo = withOldBranch(["anneal.db"]);
  fill(repo.dir);
  rmSync(join(repo.dir, ".git/anneal"), { recursive: true });
  openFor(repo.dir).close();
  visit(repo);
  expect(eventsIn(repo.dir)).toEqual([1, 2, 3]);
});

test.for(["closed", "killed"])("a copy of a project with a %s log goes on by itself, without a word", (state) => {
  const repo = withOldBranch(["anneal.db"]);
  if (state === "closed") fill(repo.dir);
  else fillAndDie(repo.dir);
  const copy = tempProject();
  cpSync(repo.dir, copy, { recursive: true });
  expect(
    told(() => {
      const store = openFor(copy);
      store.append("a", [entry(4)]);
      store.close();
    }),
  ).toBe("");
  expect(eventsIn(copy)).toEqual([1, 2, 3, 4]);
  expect(eventsIn(repo.dir)).toEqual([1, 2, 3]);
  execFileSync("git", ["checkout", "--quiet", "old"], { cwd: copy });
  execFileSync("git", ["checkout", "--quiet", "main"], { cwd: copy });
  expect(eventsIn(copy)).toEqual([1, 2, 3, 4]);
});

test("whoever removes the second names as well starts anew", () => {
  const repo = withOldBranch(["anneal.db"]);
  fill(repo.dir);
  rmSync(join(repo.dir, ".git/anneal/log"), { recursive: true });
  rmSync(inFolder(repo.dir, "anneal.db"));
  expect(told(() => openFor(repo.dir).append("a", [entry(9)]))).toBe("");
  expect(eventsIn(repo.dir)).toEqual([9]);
});

test("an old journal never comes back over what another program has written since", () => {
  const repo = withOldBranch([]);
  fillAndDie(repo.dir);
  for (const words of ["SELECT 1", "CREATE TABLE theirs (a TEXT)"]) {
    using other = new DatabaseSync(inFolder(repo.dir, "anneal.db"));
    other.exec("SELECT count(*) FROM events");
    other.exec(words);
  }
  expect(existsSync(inFolder(repo.dir, "anneal.db-wal"))).toBe(false);
  expect(eventsIn(repo.dir)).toEqual([1, 2, 3]);
  using db = new DatabaseSync(inFolder(repo.dir, "anneal.db"));
  expect(db.prepare("SELECT count(*) AS n FROM sqlite_schema WHERE name = 'theirs'").get()).toEqual({ n: 1 });
});

test("a log that is closed leaves no second name of its journal behind", () => {
  const repo = withOldBranch([]);
  fill(repo.dir);
  expect(keptIn(repo)).toEqual([expect.stringMatching(/^anneal\.db\.\d+$/)]);
});

test("a work tree whose git folder is elsewhere is kept there", () => {
  const repo = withOldBranch(["anneal.db"]);
  const elsewhere = join(tempProject(), "git");
  renameSync(join(repo.dir, ".git"), elsewhere);
  writeFileSync(join(repo.dir, ".git"), `gitdir: ${elsewhere}\n`);
  fill(repo.dir);
  visit(repo);
  expect(eventsIn(repo.dir)).toEqual([1, 2, 3]);
  expect(existsSync(join(elsewhere, "anneal/log"))).toBe(true);
});

test("without git there are no second names, and a log that is gone begins anew", () => {
  const root = projectWithLog();
  rmSync(inFolder(root, "anneal.db"));
  expect(eventsIn(root)).toEqual([]);
});

/** A repository on main, with a branch that tracks these files of a log. */
function withOldBranch(names: readonly string[]): TestRepo {
  const repo = makeRepo({ "a.txt": "a\n" });
  onTestFinished(() => repo.remove());
  repo.git("checkout", "--quiet", "-b", "old");
  repo.commit(
    { "b.txt": "b\n", ...Object.fromEntries(names.map((name) => [`.automaker/${name}`, "theirs\n"])) },
    "old",
  );
  repo.git("checkout", "--quiet", "main");
  return repo;
}

/** To the branch and back. */
function visit(repo: TestRepo): void {
  repo.git("checkout", "--quiet", "old");
  repo.git("checkout", "--quiet", "main");
}

function fill(root: string): void {
  const store = openFor(root);
  for (let n = 1; n <= 3; n += 1) store.append("a", [entry(n)]);
  store.close();
}

/** As `kill -9` leaves it: what was committed lies in the journal. */
function fillAndDie(root: string): void {
  const script = `
    import { openStore } from ${JSON.stringify(join(import.meta.dirname, "store.ts"))};
    import { entry } from ${JSON.stringify(join(import.meta.dirname, "testing/entries.ts"))};
    const store = openStore(${JSON.stringify(root)}, { clock: { now: () => 1 } });
    for (let n = 1; n <= 3; n += 1) store.append("a", [entry(n)]);
    process.kill(process.pid, "SIGKILL");`;
  expect(() => execFileSync(process.execPath, ["--input-type=module", "-e", script], { stdio: "pipe" })).toThrow(
    expect.objectContaining({ signal: "SIGKILL" }),
  );
}

function eventsIn(root: string): number[] {
  const store = openFor(root);
  try {
    return numbers(store.events("a"));
  } finally {
    store.close();
  }
}

function keptIn(repo: TestRepo): string[] {
  return readdirSync(join(repo.dir, ".git/anneal/log"));
}

/** What people are told meanwhile. */
function told(work: () => unknown): string {
  const spy = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
  try {
    work();
    return spy.mock.calls.map(([message]) => String(message)).join("\n");
  } finally {
    spy.mockRestore();
  }
}
