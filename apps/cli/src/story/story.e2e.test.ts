import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { signOff } from "../../../../libs/core/src/read/testing/sign-off.ts";
import { type Files, makeRepo, type TestRepo } from "../../../../libs/git/src/testing/make-repo.ts";
import { anneal, annealOnTerminal, hasTerminal, type Run } from "../testing/anneal.ts";
import { writes } from "../testing/project.ts";

const STORY = "# Story 2.1: Lend books\n\nReaders take books home.\n\n## Acceptance Criteria\n\n1. Three at most.\n";
const FILE = "stories/2.1.md";
const BRANCH = "story-2-1-lend-books";

/** A review with one important finding, or with none. */
function review(round: number, found: "finding" | "nothing"): object {
  const count = found === "finding" ? 1 : 0;
  const issue = `1. **[Logic]:** Matter ${round}\n   - **File:** loans.js:1\n   - **Problem:** Too many.\n   - **Fix:** Count.`;
  const sections = [
    `# Story 2.1 Code Review Findings - Round ${round}`,
    "## Critical Issues (Must Fix)\n\nNone identified.",
    `## Important Issues (Should Fix)\n\n${count === 1 ? issue : "None identified."}`,
    "## Minor Issues (Nice to Have)\n\nNone identified.",
    `## Summary\n\n- **Total findings:** ${count}\n- **Critical:** 0\n- **Important:** ${count}\n- **Minor:** 0\n- **Recommendation:** ${count === 1 ? "Fix it." : "Merge it."}`,
    ...(count === 0 ? [signOff()] : []),
    "END OF REVIEW\n",
  ];
  return { role: "reviewer", answer: sections.join("\n\n") };
}

interface Here extends TestRepo {
  anneal(...args: string[]): Promise<Run>;
}

function project(files: Files, steps: object[] = []): Here {
  const repo = makeRepo({ "README.md": "hello\n", ".gitignore": ".automaker/\nscript.json\n", ...files });
  writeFileSync(join(repo.dir, "script.json"), JSON.stringify({ name: "scripted", steps }));
  return { ...repo, anneal: (...args) => anneal(repo.dir, args, { USER: "ada" }) };
}

const build = writes("implementer", "export const lend = 0;\n", "loans.js");
const failing = (rounds: number) => [
  build,
  ...Array.from({ length: rounds }, (_, at) => [
    review(at + 1, "finding"),
    writes("fixer", `export const lend = ${at + 1};\n`, "loans.js"),
  ]).flat(),
];
const AGENT = ["--agent", "scripted:script.json"];

/** Somebody's commit on a branch of its own; what is checked out stays. */
function commitOn(here: Here, branch: string): void {
  here.git("branch", branch, here.git("commit-tree", "-p", "main", "-m", "by hand", "main^{tree}"));
}

/** What a dry run has to say of a story that a run refuses. */
async function refused(here: Here, file: string): Promise<string> {
  const run = await here.anneal("story", "run", file, ...AGENT);
  expect(run).toMatchObject({ code: 2, stdout: "" });
  const [, why] = /^anneal story: ((?:stories)?\/.*)$/m.exec(run.stderr) ?? [];
  return `[DRY-RUN] Story 2.1 would be refused: ${why}\n`;
}

describe("anneal story run", () => {
  test.concurrent("asks away from a terminal by saying what to do, takes the answer as a signal, and goes on", async () => {
    using here = project({ [FILE]: STORY }, failing(3));
    const run = await here.anneal("story", "run", FILE, ...AGENT);
    expect(run.code).toBe(1);
    expect(run.stdout).toContain(
      [
        "⚠️ Story 2.1 Review Blocked\n",
        "After 3 review rounds, issues remain:\n- Critical: 0\n- Important: 1\n- Minor: 0\n",
        "Findings document: docs/progress/story-2.1-review-findings-round-3.md\n",
        "Options:\na) Manual review and fix (pause autonomous workflow)",
        "b) Accept findings and mark story complete (not recommended)",
        "c) Continue with 1 more review round (override limit)\n",
        "Your choice:\n  a) anneal take-over story:2.1\n  b) anneal accept story:2.1\n  c) anneal one-more story:2.1\n",
      ].join("\n"),
    );
    const document = ".automaker/stories/2.1/story-2.1-review-findings-round-3.md";
    expect(run.stdout).toContain(`is at ${document};`);
    expect(existsSync(join(here.dir, document))).toBe(true);
    const [line] = JSON.parse((await here.anneal("story", "status", "--json")).stdout);
    expect(line).toMatchObject({ id: "story:2.1", status: "review", branch: BRANCH, file: FILE });
    expect(line.question.choices.map(({ signal }: { signal: string }) => signal)).toEqual([
      "take-over",
      "accept",
      "one-more",
    ]);
    const accepted = await here.anneal("accept", "story:2.1");
    expect(accepted).toMatchObject({ code: 0, stdout: "accept: committing; continue it with anneal run story:2.1\n" });
    const rest = await here.anneal("run", "story:2.1", "--json");
    expect(rest.code).toBe(0);
    const events = rest.stdout
      .trim()
      .split("\n")
      .map((text) => JSON.parse(text).type);
    expect(events.filter((type) => type !== "loop:intended")).toEqual([
      "loop:commit-prepared",
      "loop:committed",
      "loop:delivery-skipped",
    ]);
    expect(readFileSync(join(here.dir, FILE), "utf8")).toMatch(/^---\nstatus: done\n---\n/);
    expect(here.git("show", "--format=%s", "--name-only", BRANCH)).toContain("docs: code review findings of story 2.1");
    const shown = await here.anneal("show", "2.1");
    expect(shown.stdout).toMatch(
      /column +done\n[\s\S]*documents +commit [0-9a-f]{12}, on top of the reviewed commit, adds the findings documents/,
    );
    const { head, documents } = JSON.parse((await here.anneal("export", "story:2.1")).stdout);
    expect([head, documents]).toEqual([here.git("rev-parse", `${BRANCH}~1`), here.git("rev-parse", BRANCH)]);
  });

  test.runIf(hasTerminal)(
    "asks on a terminal, until there is an answer that it can take: one more round, and that passes",
    async () => {
      using here = project({ [FILE]: STORY }, [...failing(3), review(4, "nothing")]);
      const typing = { question: "Your choice: ", lines: ["what?", "c"] };
      const run = await annealOnTerminal(
        here.dir,
        ["story", "run", FILE, ...AGENT],
        { USER: "ada", NO_COLOR: "1" },
        typing,
      );
      expect(run.code).toBe(0);
      const text = stripVTControlCharacters(run.stdout).replaceAll("\r", "");
      expect(text).toContain("c) Continue with 1 more review round (override limit)\n\nYour choice: ");
      expect(text).toContain("type a, b, c, or press Ctrl-D to decide later\n");
      expect(text).toContain("one-more: fixing\n");
      expect(text).toContain("round 4 passed");
      expect(here.git("log", "--format=%s", `main..${BRANCH}`).split("\n")).toHaveLength(5);
    },
  );

  test.concurrent("--dry-run prints what would be spawned, those first that others wait for, on to the finalisation; nothing is made", async () => {
    const second = "---\ndepends_on: 2.1\nstatus: review\n---\n# Story 2.2: Take back\n";
    using here = project({ [FILE]: STORY, "stories/2.2.md": second });
    commitOn(here, "story-2-2-take-back");
    const run = await here.anneal("story", "run", "stories/2.2.md", FILE, "--dry-run");
    expect(run).toMatchObject({ code: 0, stderr: "" });
    const rounds = (id: string) =>
      [1, 2, 3].flatMap((round) => [
        `[DRY-RUN] Would spawn epic-reviewer for Story ${id} round ${round}`,
        ...(round < 3 ? [`[DRY-RUN] Would spawn epic-fixer for Story ${id} round ${round}`] : []),
      ]);
    const final = (id: string, branch: string) =>
      `[DRY-RUN] Would commit and open a pull request for Story ${id} from ${branch}`;
    expect(run.stdout.trimEnd().split("\n")).toEqual([
      `[DRY-RUN] Would build Story 2.1 on ${BRANCH}`,
      ...rounds("2.1"),
      final("2.1", BRANCH),
      ...rounds("2.2"),
      final("2.2", "story-2-2-take-back"),
    ]);
    expect([existsSync(join(here.dir, ".automaker")), here.git("branch"), here.git("status", "--porcelain")]).toEqual([
      false,
      "* main\n  story-2-2-take-back",
      "",
    ]);
    const data = JSON.parse((await here.anneal("story", "run", FILE, "--dry-run", "--json")).stdout);
    expect(data).toMatchObject([{ id: "2.1", branch: BRANCH, file: FILE, lines: expect.any(Array) }]);
  });
});

test.concurrent("--dry-run of a story that waits says so, and after the last of its rounds what is left", async () => {
  const next = `---\ndepends_on: 2.1\n---\n${STORY.replaceAll("2.1", "2.2")}`;
  using here = project({ [FILE]: STORY, "stories/2.2.md": next }, failing(5));
  await here.anneal("story", "run", FILE, ...AGENT);
  const dryRun = async (...files: string[]) => (await here.anneal("story", "run", FILE, ...files, "--dry-run")).stdout;
  const hindered =
    "[DRY-RUN] Story 2.2 would not start: it depends on story 2.1, which is not done and would not be done before it\n";
  expect((await dryRun("stories/2.2.md")).split("\n").slice(1).join("\n")).toBe(hindered);
  expect((await here.anneal("story", "run", "stories/2.2.md", "--dry-run")).stdout).toBe(hindered);
  const waits = "all rounds are used up and the change has not passed";
  expect(await dryRun()).toBe(
    `[DRY-RUN] Story 2.1 waits for a person after round 3 (${waits}); nothing starts before a person decides with: anneal take-over | accept | one-more | stop story:2.1\n`,
  );
  await here.anneal("one-more", "story:2.1");
  expect(await dryRun()).toBe(
    [
      "[DRY-RUN] Would spawn epic-fixer for Story 2.1 round 3",
      "[DRY-RUN] Would spawn epic-reviewer for Story 2.1 round 4",
      `[DRY-RUN] Would commit and open a pull request for Story 2.1 from ${BRANCH}\n`,
    ].join("\n"),
  );
  await here.anneal("story", "run", FILE, ...AGENT);
  await here.anneal("one-more", "story:2.1");
  await here.anneal("story", "run", FILE, ...AGENT);
  expect(await dryRun()).toMatch(
    /waits for a person after round 5 .*: anneal take-over \| accept \| stop story:2\.1\n$/,
  );
  await here.anneal("take-over", "story:2.1");
  const text = readFileSync(join(here.dir, FILE), "utf8");
  writeFileSync(join(here.dir, FILE), text.replace(/^status: .*$/m, "status: review"));
  expect(await dryRun("stories/2.2.md")).toBe(`${await refused(here, FILE)}${hindered}`);
  expect(await dryRun()).toContain("has had 5 rounds of review, which is the limit: finish it by hand");
});

describe("--dry-run promises nothing that a run refuses, and says so in its words", () => {
  const SAYS = (status: string) => `---\nstatus: ${status}\n---\n${STORY}`;
  const DEPENDS = `---\ndepends_on: 2.1\n---\n${STORY.replaceAll("2.1", "2.2")}`;
  const left = (here: Here) => [
    existsSync(join(here.dir, ".automaker")),
    here.git("for-each-ref"),
    here.git("status", "--porcelain"),
  ];

  test.concurrent.for<{ what: string; story: string; given?: (here: Here) => void; says: string }>([
    { what: "is blocked", story: SAYS("blocked"), says: "is blocked; write `status: review` when the work is on" },
    { what: "is skipped", story: SAYS("skipped"), says: "is skipped; write `status: review` when the work is on" },
    { what: "is to be reviewed without a branch", story: SAYS("review"), says: `there is no branch ${BRANCH}` },
    {
      what: "is to be reviewed without a commit",
      story: SAYS("review"),
      given: (here) => here.git("branch", BRANCH),
      says: `${BRANCH} has no commits that main does not have`,
    },
    {
      what: "is to be built where somebody else has committed",
      story: STORY,
      given: (here) => commitOn(here, BRANCH),
      says: `the branch ${BRANCH} already has commits`,
    },
  ])("one that $what", async ({ story, given, says }) => {
    using here = project({ [FILE]: story, "stories/2.2.md": DEPENDS }, failing(3));
    given?.(here);
    const before = left(here);
    const run = await here.anneal("story", "run", FILE, "stories/2.2.md", "--dry-run");
    const [first, second] = run.stdout.split("\n");
    expect(run).toMatchObject({ code: 2, stderr: "" });
    expect(second).toMatch(
      /^\[DRY-RUN\] Story 2\.2 would not start: it depends on story 2\.1, which is not done and would not be/,
    );
    expect(left(here)).toEqual(before);
    expect(first).toContain(says);
    expect(`${first}\n`).toBe(await refused(here, FILE));
  });

  test.concurrent("one whose test program is not there, by the settings' file and line", async () => {
    using here = project({ [FILE]: STORY }, failing(1));
    here.write({ ".automaker/settings.json": '{\n  "testCommand": "nosuchprogram all"\n}\n' });
    const dry = await here.anneal("story", "run", FILE, "--dry-run");
    const why =
      ".automaker/settings.json:2: testCommand: nosuchprogram was not found: install it, or correct the command";
    expect(dry.stdout).toBe(`[DRY-RUN] Story 2.1 would be refused: ${why}\n`);
    const run = await here.anneal("story", "run", FILE, ...AGENT);
    expect(run).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(`anneal story: ${why}\n`) });
  });

  test.concurrent("one that a person took over, until it says `review`: then the rounds go on with what was committed by hand", async () => {
    using here = project({ [FILE]: STORY }, [build, review(1, "finding"), { role: "fixer", answer: "No idea." }]);
    await here.anneal("story", "run", FILE, ...AGENT);
    const dryRun = async () => (await here.anneal("story", "run", FILE, "--dry-run")).stdout;
    const folder = readdirSync(`${here.dir}.anneal`).find((name) => name.startsWith("story-2-1-"));
    const worktree = join(`${here.dir}.anneal`, folder ?? "none");
    writeFileSync(join(worktree, "mine.js"), "mine\n");
    expect(await dryRun()).toBe(await refused(here, FILE));
    rmSync(join(worktree, "mine.js"));
    await here.anneal("take-over", "story:2.1");
    expect(await dryRun()).toBe(await refused(here, FILE));
    writeFileSync(join(worktree, "loans.js"), "export const lend = 7;\n");
    writeFileSync(join(here.dir, FILE), SAYS("review"));
    expect(await dryRun()).toContain("has uncommitted changes: commit or discard them");
    here.git("-C", worktree, "commit", "--quiet", "--all", "--message", "by hand");
    const tip = here.git("rev-parse", BRANCH);
    expect((await dryRun()).split("\n")[0]).toBe("[DRY-RUN] Would spawn epic-reviewer for Story 2.1 round 2");
    expect(here.git("rev-parse", BRANCH)).toBe(tip);
  });
});

test.concurrent("--dry-run looks at the base as a run does, and moves no ref", async () => {
  const next = `---\ndepends_on: 2.1\n---\n${STORY.replaceAll("2.1", "2.2")}`;
  using here = project({ [FILE]: STORY, "stories/2.2.md": next }, [build, review(1, "nothing")]);
  const forge = join(here.dir, ".git/forge.git");
  await here.anneal("pr", "forge", "init", forge);
  here.git("remote", "add", "origin", forge);
  here.git("push", "--quiet", "origin", "main");
  await here.anneal("pr", "allow");
  await here.anneal("story", "run", FILE, ...AGENT);
  await here.anneal("pr", "forge", "merge", forge, "1", "--as", "alice");
  const before = here.git("for-each-ref");
  const dryRun = async () => (await here.anneal("story", "run", "stories/2.2.md", "--dry-run")).stdout;
  expect(await dryRun()).toMatch(/^\[DRY-RUN\] Would build Story 2\.2 on/);
  expect(here.git("for-each-ref")).toBe(before);
  here.git("commit", "--quiet", "--allow-empty", "--message=mine");
  const said = await dryRun();
  const [, why] = /^\[DRY-RUN\] Story 2\.2 would be refused: (.*have diverged.*)\n$/.exec(said) ?? [];
  const run = await here.anneal("story", "run", "stories/2.2.md", ...AGENT);
  expect([run.code, run.stdout]).toEqual([1, expect.stringContaining(why ?? said)]);
});

describe("anneal story run refuses, with file and line, before anything starts", () => {
  const one = (front: string, id = "1.1") => `---\n${front}\n---\n# Story ${id}: One\n`;
  interface Refused {
    what: string;
    files: Record<string, string>;
    branches?: string[];
    more?: string[];
    says: string;
  }
  test.concurrent.for<Refused>([
    {
      what: "a circle",
      files: { "a.md": one("depends_on: 1.2"), "b.md": one("depends_on: 1.1", "1.2") },
      says: "a.md:2: depends_on: stories wait for each other: 1.1 → 1.2 → 1.1",
    },
    {
      what: "an unknown dependency",
      files: { "a.md": one("depends_on: [9.9]") },
      says: 'a.md:2: depends_on: there is no story "9.9"',
    },
    {
      what: "two stories with one id",
      files: { "a.md": one("id: 1.1"), "b.md": one("id: 1.1") },
      says: 'b.md:2: two stories have the id "1.1": the other is a.md:2',
    },
    {
      what: "a story on the default branch, whatever it is compared with",
      files: { "a.md": one("branch: main") },
      more: ["--base", "HEAD"],
      says: "a.md:2: story 1.1 would commit to main, which other work is merged into: give the story another `branch`",
    },
    {
      what: "a story on the default branch, in a dry run too",
      files: { "a.md": one("status: review\nbranch: main") },
      more: ["--dry-run"],
      says: "a.md:3: story 1.1 would commit to main, which other work is merged into: give the story another `branch`",
    },
    {
      what: "two stories on one branch, in a dry run too",
      files: { "a.md": one("branch: shared"), "b.md": one("branch: shared", "1.2") },
      more: ["--dry-run"],
      says: "b.md:2: branch: shared is also that of story 1.1 (a.md:2): give one of them another",
    },
    ...[[], ["--dry-run"]].map((more) => ({
      what: `a branch above one that is there (${["run", ...more].join(" ")})`,
      files: { "a.md": one("branch: feat") },
      branches: ["feat/b"],
      more,
      says: "a.md:2: git cannot have both a branch feat and a branch feat/b: rename that one with git branch -m feat/b NEW-NAME",
    })),
    ...[[], ["--dry-run"]].map((more) => ({
      what: `two stories, one with a branch below the other's (${["run", ...more].join(" ")})`,
      files: { "a.md": one("branch: feat"), "b.md": one("branch: feat/b", "1.2") },
      more,
      says: "b.md:2: git cannot have both a branch feat/b and a branch feat, which a.md:2 asks for: give one of them another name",
    })),
    {
      what: "a status that nobody knows",
      files: { "a.md": one("status: foo") },
      says: 'a.md:2: status: unknown value "foo"',
    },
    { what: "a story without an id", files: { "a.md": "# Lend books\n" }, says: "a.md:1: the story has no id" },
    { what: "front matter that is not YAML", files: { "a.md": one("id: [1.1") }, says: "a.md:" },
    { what: "a file that is not there", files: {}, more: ["a.md"], says: "a.md:1: the file does not exist" },
    {
      what: "a base branch that does not exist",
      files: { "a.md": STORY },
      more: ["--base", "nowhere"],
      says: "no base branch nowhere",
    },
  ])("$what", async ({ files, branches = [], more = [], says }) => {
    using here = project(files);
    for (const branch of branches) here.git("branch", branch);
    const run = await here.anneal("story", "run", ...Object.keys(files), ...more, ...AGENT);
    expect(run).toMatchObject({ code: 2, stdout: "" });
    expect(run.stderr).toContain(`anneal story: ${says}`);
    expect(existsSync(join(here.dir, ".automaker"))).toBe(false);
    expect(here.git("status", "--porcelain")).toBe("");
  });
});
