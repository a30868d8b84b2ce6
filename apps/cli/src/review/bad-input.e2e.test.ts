import { symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ReviewOutput } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { anneal } from "../testing/anneal.ts";
import { branchWith, cleanBranch, makeRepo, openTestRepo, PROJECT, type TestRepo } from "../testing/branches.ts";
import { scriptFile, type TempPath, tempFolder } from "../testing/temp.ts";

/** A folder to stand in, gone with `using`. */
interface Place extends Disposable {
  dir: string;
}

interface Mistake {
  what: string;
  make: () => Place;
  args: string[];
  code: 2 | 3;
  /** What the one line has to name, and what to do about it. */
  says: RegExp;
}

const mistakes: Mistake[] = [
  {
    what: "a folder that is no git repository",
    make: () => placeOf(tempFolder()),
    args: [],
    code: 2,
    says: /is not in a git repository: .*git init/,
  },
  { what: "a bare repository", make: bareRepo, args: [], code: 2, says: /is a bare repository: clone it/ },
  { what: "a git directory", make: insideGitDirectory, args: [], code: 2, says: /inside a git directory: .*work tree/ },
  {
    what: "an unknown base",
    make: cleanBranch,
    args: ["--base", "nope"],
    code: 2,
    says: /unknown ref "nope": .*fetch/,
  },
  {
    what: "an unknown head",
    make: cleanBranch,
    args: ["--head", "nope"],
    code: 2,
    says: /unknown ref "nope": .*fetch/,
  },
  { what: "an empty ref", make: cleanBranch, args: ["--base="], code: 2, says: /unknown ref "": check/ },
  {
    what: "a ref with an escape sequence",
    make: cleanBranch,
    args: ["--base", "\u001b[31mred\nline"],
    code: 2,
    says: /unknown ref/,
  },
  { what: "a ref that starts with a dash", make: cleanBranch, args: ["--base=-x"], code: 2, says: /unknown ref "-x"/ },
  {
    what: "a ref that is an option of git",
    make: cleanBranch,
    args: ["--head=--output=owned"],
    code: 2,
    says: /unknown ref "--output=/,
  },
  { what: "a separate value with a dash", make: cleanBranch, args: ["--base", "-x"], code: 2, says: /--base.*--help/ },
  {
    what: "a ref that is a file",
    make: cleanBranch,
    args: ["--base", "HEAD:src/tax.ts"],
    code: 2,
    says: /unknown ref/,
  },
  {
    what: "a base that equals the head",
    make: cleanBranch,
    args: ["--base", "topic"],
    code: 3,
    says: /nothing to review: .*--base/,
  },
  {
    what: "a head that is behind its base",
    make: cleanBranch,
    args: ["--base", "topic", "--head", "main"],
    code: 3,
    says: /nothing to review: .*--base/,
  },
  {
    what: "the default branch itself",
    make: () => makeRepo(PROJECT),
    args: [],
    code: 3,
    says: /nothing to review: .*--worktree/,
  },
  { what: "a commit with the same tree", make: emptyCommit, args: [], code: 3, says: /nothing to review: .*--base/ },
  {
    what: "a repository without commits",
    make: () => makeRepo(),
    args: [],
    code: 2,
    says: /no commits yet: commit first, or .*--staged/,
  },
  {
    what: "a repository without commits and nothing staged",
    make: () => makeRepo(),
    args: ["--staged"],
    code: 3,
    says: /nothing to review/,
  },
  {
    what: "a repository without a default branch",
    make: noDefaultBranch,
    args: [],
    code: 2,
    says: /no default branch.*--base/,
  },
  { what: "unrelated histories", make: unrelated, args: [], code: 2, says: /unrelated: pass --base/ },
  {
    what: "a shallow clone without the merge base",
    make: shallowClone,
    args: ["--base", "origin/main"],
    code: 2,
    says: /shallow: run git fetch --unshallow/,
  },
  {
    what: "an unknown policy",
    make: cleanBranch,
    args: ["--policy", "strict"],
    code: 2,
    says: /unknown policy "strict"; known: gate, pull-request, scored, adversarial, advisory/,
  },
  {
    what: "a policy file that is not there",
    make: cleanBranch,
    args: ["--policy", "own.json"],
    code: 2,
    says: /cannot read the policy own\.json/,
  },
  {
    what: "a policy file that holds no policy",
    make: () => branchWith({ "own.json": "{}\n" }),
    args: ["--policy", "own.json"],
    code: 2,
    says: /own\.json is not a policy: name: /,
  },
  {
    what: "a policy named like a property of every object",
    make: cleanBranch,
    args: ["--policy", "constructor"],
    code: 2,
    says: /unknown policy "constructor"/,
  },
  {
    what: "an unknown reviewer",
    make: cleanBranch,
    args: ["--reviewer", "oracle"],
    code: 2,
    says: /unknown agent "oracle" for the reviewer; known: builtin, claude, .*scripted:FILE/,
  },
  {
    what: "a reviewer named like a property of every object",
    make: cleanBranch,
    args: ["--reviewer", "toString"],
    code: 2,
    says: /unknown agent "toString" for the reviewer/,
  },
  {
    what: "an unknown format",
    make: cleanBranch,
    args: ["--format", "xml"],
    code: 2,
    says: /unknown format "xml"; known: pretty, json, markdown/,
  },
  {
    what: "an unknown option",
    make: cleanBranch,
    args: ["--fast"],
    code: 2,
    says: /--fast.*; see anneal review --help/,
  },
  {
    what: "an option without its value",
    make: cleanBranch,
    args: ["--policy"],
    code: 2,
    says: /--policy.*; see anneal review --help/,
  },
  {
    what: "an argument that is no option",
    make: cleanBranch,
    args: ["main"],
    code: 2,
    says: /'main'.*; see anneal review --help/,
  },
  {
    what: "--staged with --worktree",
    make: cleanBranch,
    args: ["--staged", "--worktree"],
    code: 2,
    says: /--staged and --worktree cannot be used together/,
  },
  {
    what: "--head with --staged",
    make: cleanBranch,
    args: ["--staged", "--head", "topic"],
    code: 2,
    says: /--head and --staged cannot be used together/,
  },
  {
    what: "--head with --worktree",
    make: cleanBranch,
    args: ["--worktree", "--head", "topic"],
    code: 2,
    says: /--head and --worktree cannot be used together/,
  },
  {
    what: "scored with the builtin reviewer",
    make: cleanBranch,
    args: ["--policy", "scored"],
    code: 2,
    says: /no scores.*choose another --policy, or a --reviewer of: claude/,
  },
  {
    what: "the scripted reviewer without a script",
    make: cleanBranch,
    args: ["--reviewer", "scripted"],
    code: 2,
    says: /scripted needs a file: scripted:FILE/,
  },
  {
    what: "a script that is not there",
    make: cleanBranch,
    args: ["--reviewer", "scripted:/no/such.json"],
    code: 2,
    says: /\/no\/such\.json: .*check the path/,
  },
];

describe("a mistake ends with its exit code and one line that says what to do", () => {
  test.concurrent.for(mistakes)("$what: exit $code", async ({ make, args, code, says }) => {
    using place = make();
    const run = await anneal(place.dir, ["review", ...args]);
    expect(run).toMatchObject({ code, stdout: "", left: [] });
    expect(run.stderr).toMatch(says);
    // One line, printable characters only, and no stack trace.
    expect(run.stderr).toMatch(/^anneal review: [^\p{Cc}]+\n$/u);
    expect(run.stderr).not.toMatch(/\bat .*:\d+:\d+|unexpected:/);
  });

  test.concurrent.for([
    { what: "text that is not JSON", text: "{ not json", says: /not JSON/ },
    {
      what: "an unknown key",
      text: '{ "steps": [{ "anwser": "x" }] }',
      says: /steps\[0\] has no key "anwser", only .*answer/,
    },
    { what: "no steps", text: "{}", says: /needs the key "steps"/ },
    {
      what: "a wrong type",
      text: '{ "steps": [{ "answer": 7 }] }',
      says: /steps\[0\]\.answer must be a string, not 7/,
    },
  ])("a script with $what: exit 2", async ({ text, says }) => {
    using repo = cleanBranch();
    using script = scriptFile(text);
    const run = await anneal(repo.dir, ["review", "--reviewer", `scripted:${script.path}`]);
    expect(run).toMatchObject({ code: 2, stdout: "" });
    expect(run.stderr).toMatch(says);
    expect(run.stderr).toContain(script.path);
    expect(run.stderr.match(/\n/g)).toHaveLength(1);
  });

  test.concurrent("git missing from PATH: exit 2", async () => {
    using repo = cleanBranch();
    using folder = tempFolder();
    symlinkSync(process.execPath, join(folder.path, "node"));
    const run = await anneal(repo.dir, ["review"], { PATH: folder.path });
    expect(run).toMatchObject({ code: 2, stdout: "" });
    expect(run.stderr).toMatch(/^anneal review: git could not be started.*install git.*PATH\n$/);
  });

  test.concurrent.for([
    { what: "an unknown policy", args: ["--policy", "strict"], says: /UsageError: .*\n\s+at / },
    { what: "an unknown ref", args: ["--base", "nope"], says: /GitError: .*\n\s+at / },
    { what: "an unknown option", args: ["--fast"], says: /TypeError.*\n\s+at / },
    { what: "nothing to review", args: ["--base", "topic"], says: /NothingToReview: .*\n\s+at / },
  ])("ANNEAL_DEBUG=1 adds a stack for $what", async ({ args, says }) => {
    using repo = cleanBranch();
    const run = await anneal(repo.dir, ["review", ...args], { ANNEAL_DEBUG: "1" });
    expect(run.stderr).toMatch(says);
    expect(run.stdout).toBe("");
  });
});

describe("what looks like a mistake but is not", () => {
  test.concurrent("a detached head is reviewed like a branch", async () => {
    using repo = cleanBranch();
    repo.git("switch", "--quiet", "--detach");
    expect(await anneal(repo.dir, ["review"])).toMatchObject({ code: 0, stderr: "" });
  });

  test.concurrent("a shallow clone that holds both ends is reviewed", async () => {
    using clone = shallowClone();
    const repo = openTestRepo(clone.dir);
    repo.commit({ "src/more.ts": "export const more = 1;\n" });
    expect(await anneal(clone.dir, ["review", "--base", "HEAD~1"])).toMatchObject({ code: 0, stderr: "" });
  });

  test.concurrent("a tag, a short id and HEAD~1 name commits", async () => {
    using repo = cleanBranch();
    repo.git("tag", "-a", "v1", "-m", "v1", "main");
    for (const base of ["v1", repo.git("rev-parse", "--short", "main"), "HEAD~1"]) {
      expect(await anneal(repo.dir, ["review", "--base", base])).toMatchObject({ code: 0, stderr: "" });
    }
  });
});

describe("content that cannot be read as text", () => {
  test.concurrent("a 200 MB file is listed as skipped, and holds what the rest would pass", async () => {
    using repo = branchWith({ "src/tax.ts": "export const taxRate = 0.19;\n", "big.dat": "" });
    grow(repo, "big.dat");
    const run = await anneal(repo.dir, ["review", "--format", "json"]);
    const { coverage, verdict } = ReviewOutput.parse(JSON.parse(run.stdout));
    expect(coverage).toEqual({
      reviewed: ["src/tax.ts"],
      skipped: [{ file: "big.dat", reason: expect.stringMatching(/larger than/) }],
    });
    expect({ verdict, code: run.code }).toEqual({ verdict: "inconclusive", code: 3 });
  });

  test.concurrent.for([
    { level: "project", waives: true },
    { level: "global", waives: true },
    { level: "change", waives: false },
  ])("what the settings of the $level waive: $waives, told in every format", async ({ level, waives }) => {
    const settings = JSON.stringify({ waivedPaths: ["data/**"] });
    const files = { "src/tax.ts": "export const taxRate = 0.19;\n", "data/model.bin": Buffer.from([1, 0, 2]) };
    const own = { ".automaker/settings.json": settings };
    using repo = branchWith(level === "change" ? { ...files, ...own } : files, level === "project" ? own : {});
    using home = tempFolder();
    if (level === "global") writeFileSync(join(home.path, "settings.json"), settings);
    for (const format of ["json", "pretty", "markdown"]) {
      const run = await anneal(repo.dir, ["review", "--format", format], { DATA_DIR: home.path });
      expect(run.code).toBe(waives ? 0 : 3);
      expect(run.stdout).toContain("data/model.bin");
      expect(run.stdout.includes("waived by")).toBe(waives);
    }
  });

  test.concurrent("a 200 MB file alone is inconclusive: nothing was judged", async () => {
    using repo = branchWith({ "big.dat": "" });
    grow(repo, "big.dat");
    const run = await anneal(repo.dir, ["review", "--format", "json"]);
    expect(ReviewOutput.parse(JSON.parse(run.stdout))).toMatchObject({
      verdict: "inconclusive",
      coverage: { reviewed: [], skipped: [{ file: "big.dat" }] },
    });
    expect(run.code).toBe(3);
  });

  test.concurrent("a binary file alone is inconclusive", async () => {
    using repo = branchWith({ "logo.png": new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 0]) });
    const run = await anneal(repo.dir, ["review", "--format", "json"]);
    expect(ReviewOutput.parse(JSON.parse(run.stdout))).toMatchObject({
      verdict: "inconclusive",
      coverage: { skipped: [{ file: "logo.png", reason: "binary" }] },
    });
    expect(run.code).toBe(3);
  });

  test.concurrent("invalid UTF-8 in a file and in a file name does no harm", async () => {
    using repo = branchWith({ "src/latin.ts": Buffer.from("export const name = 'Jos\xe9';\ndebugger;\n", "latin1") });
    writeFileSync(
      Buffer.concat([Buffer.from(join(repo.dir, "src/")), Buffer.from([0xff, 0xfe]), Buffer.from(".ts")]),
      "export const odd = 1;\n",
    );
    repo.commit({});
    for (const format of ["json", "pretty", "markdown"]) {
      const run = await anneal(repo.dir, ["review", "--format", format]);
      expect(run).toMatchObject({ code: 1, stderr: "" });
      expect(run.stdout).toContain("src/latin.ts:2".slice(0, format === "json" ? -2 : undefined));
    }
  });

  test.concurrent("invalid UTF-8 is listed under --worktree as well", async () => {
    using repo = makeRepo(PROJECT);
    writeFileSync(
      Buffer.concat([Buffer.from(join(repo.dir, "src/")), Buffer.from([0xff]), Buffer.from(".ts")]),
      "debugger;\n",
    );
    const run = await anneal(repo.dir, ["review", "--worktree", "--format", "json"]);
    const { coverage, findings } = ReviewOutput.parse(JSON.parse(run.stdout));
    expect(coverage.reviewed).toHaveLength(1);
    expect(findings).toMatchObject([{ rule: "debug-leftover", line: 1 }]);
  });
});

function placeOf(temp: TempPath): Place {
  return { dir: temp.path, [Symbol.dispose]: temp[Symbol.dispose] };
}

function bareRepo(): Place {
  const place = placeOf(tempFolder());
  openTestRepo(place.dir).git("init", "--quiet", "--bare");
  return place;
}

function insideGitDirectory(): Place {
  const repo = cleanBranch();
  return { dir: join(repo.dir, ".git"), [Symbol.dispose]: () => repo.remove() };
}

function emptyCommit(): TestRepo {
  const repo = makeRepo(PROJECT);
  repo.git("switch", "--quiet", "--create", "topic");
  repo.commit({}, "no change");
  return repo;
}

function noDefaultBranch(): TestRepo {
  const repo = makeRepo(PROJECT);
  repo.git("branch", "--move", "trunk");
  repo.git("branch", "another");
  return repo;
}

function unrelated(): TestRepo {
  const repo = makeRepo(PROJECT);
  repo.git("switch", "--quiet", "--orphan", "topic");
  repo.commit({ "a.ts": "export const a = 1;\n" });
  return repo;
}

/** A clone of depth one, of a branch that left main two commits ago. */
function shallowClone(): Place {
  const place = placeOf(tempFolder());
  using origin = cleanBranch();
  origin.commit({ "src/two.ts": "export const two = 2;\n" });
  const source = `file://${origin.dir}`;
  openTestRepo(place.dir).git("clone", "--quiet", "--depth=1", "--no-single-branch", "--branch=topic", source, ".");
  return place;
}

/** Makes the file 200 MB long without writing them, and commits. */
function grow(repo: TestRepo, path: string): void {
  truncateSync(join(repo.dir, path), 200 * 1024 * 1024);
  repo.git(
    "-c",
    "core.compression=0",
    "-c",
    "core.bigFileThreshold=1m",
    "commit",
    "--quiet",
    "--all",
    "--amend",
    "--no-edit",
  );
}
