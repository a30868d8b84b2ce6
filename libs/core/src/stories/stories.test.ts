import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { NO_FIX } from "../lineage/fix-account.ts";
import { POLICIES } from "../policies/index.ts";
import { readFindingsReport } from "../read/findings-document.ts";
import { dryRun, dryRunFrom } from "../show/dry-run.ts";
import { bad, clean, finding, Play, report } from "../testing/build.ts";
import {
  findingsFiles,
  isFindingsPath,
  isStoryDone,
  STORY_STATUSES,
  storyBranch,
  storyCommitMessage,
  storyFinalMessage,
  storyStatus,
} from "./index.ts";
import { adversarial, exhausted, found, story } from "./testing/rounds.ts";

const golden = (name: string) => readFileSync(new URL(`./fixtures/${name}`, import.meta.url), "utf8");

describe("the branch of a story", () => {
  test.for([
    { id: "2.1-D4", title: "Request-Scoped Logger", branch: "story-2-1-d4-request-scoped-logger" },
    { id: "3-1a", title: "Saves CRUD & Validation!", branch: "story-3-1a-saves-crud-validation" },
    { id: "3.1.6", title: "", branch: "story-3-1-6" },
    { id: "1", title: "Bücherei für alle", branch: "story-1-bucherei-fur-alle" },
    { id: "1", title: "借りる", branch: "story-1" },
    { id: "1", title: "../../etc; rm -rf / .lock", branch: "story-1-etc-rm-rf-lock" },
    { id: "1", title: "word ".repeat(30), branch: `story-1-${"word-".repeat(10).slice(0, -1)}` },
    { id: "1", title: "x".repeat(200), branch: `story-1-${"x".repeat(50)}` },
  ])("$id $title → $branch", ({ id, title, branch }) => {
    expect(storyBranch({ id, title })).toBe(branch);
  });

  test("is the one that the story names, where it names one", () => {
    expect(storyBranch({ ...story, branch: "mine/own" })).toBe("mine/own");
  });
});

describe("findings documents", () => {
  const first = report({
    claim: null,
    findings: [
      finding({
        severity: "critical",
        title: "Loans are lost",
        file: "src/loans.ts",
        line: 7,
        description: "A crash forgets them.",
        impact: "Nobody knows where the book is.",
        suggestion: "Write them down first.",
      }),
      finding({
        severity: "low",
        category: "style",
        title: "A name says nothing",
        file: "src/loans.ts",
        line: 9,
        description: "It is called x.",
      }),
    ],
  });
  const play = () => adversarial().build().review(first).mend().review(clean);

  test("are projected round by round, at the seed's path and in its format", () => {
    const files = findingsFiles(story, play().state);
    expect(files.map(({ path }) => path)).toEqual([
      "docs/progress/story-2.1-D4-review-findings-round-1.md",
      "docs/progress/story-2.1-D4-review-findings-round-2.md",
    ]);
    expect(files[0]?.content).toBe(golden("findings-round-1.md"));
    expect(files[1]?.content).toBe(golden("findings-round-2.md"));
  });

  test("are read back with the counts that the loop decided on", () => {
    const [file] = findingsFiles(story, play().state);
    const stored = { text: file?.content ?? "", finished: true };
    expect(readFindingsReport(stored, { closing: "optional" })).toMatchObject({
      status: "complete",
      notes: [],
      findings: [{ severity: "critical" }, { severity: "low" }],
    });
  });

  test("keep the reviewer's own recommendation, unless its word was not the last", () => {
    const recommendation = "Write loans down first. The importer was not looked at.";
    const state = adversarial()
      .build()
      .review({ ...first, recommendation }).state;
    expect(findingsFiles(story, state)[0]?.content).toContain(`- **Recommendation:** ${recommendation}\n`);
    const rejected = adversarial()
      .build()
      .review({ ...clean, claim: "fail", recommendation: "Merge." }).state;
    expect(findingsFiles(story, rejected)[0]?.content).not.toContain("Merge.");
  });

  test("wait outside of the branch until the story is finalised", () => {
    const files = findingsFiles(story, play().state);
    expect(files.every(({ waitsAt }) => waitsAt.startsWith(".automaker/stories/2.1-D4/"))).toBe(true);
    expect(new Set(files.map(({ waitsAt }) => waitsAt)).size).toBe(2);
  });

  test("there are none before the first review", () => {
    expect(findingsFiles(story, adversarial().build().state)).toEqual([]);
  });

  test.for([
    { path: "docs/progress/story-2.1-D4-review-findings-round-1.md", is: true },
    { path: "docs/progress/story-2.1-d4-review-findings-round-12.md", is: true },
    { path: "docs/progress/story-2.1-D5-review-findings-round-1.md", is: false },
    { path: "docs/progress/story-2.1-D4-review-findings-round-0.md", is: false },
    { path: "docs/progress/story-2.1-D4-review-findings-round-1.md.bak", is: false },
    { path: "x/docs/progress/story-2.1-D4-review-findings-round-1.md", is: false },
    { path: "docs/progress/epic-2.md", is: false },
  ])("$path is one of story 2.1-D4: $is", ({ path, is }) => {
    expect(isFindingsPath(path, "2.1-D4")).toBe(is);
  });
});

describe("a dry run", () => {
  const reviewer = (round: number) => `[DRY-RUN] Would spawn epic-reviewer for Story 2.1-D4 round ${round}`;
  const fixer = (round: number) => `[DRY-RUN] Would spawn epic-fixer for Story 2.1-D4 round ${round}`;
  const asks = (round: number) => `[DRY-RUN] Would ask a person about Story 2.1-D4 after round ${round}`;
  const final =
    "[DRY-RUN] Would commit and open a pull request for Story 2.1-D4 from story-2-1-d4-lend-books-to-readers";

  test.for([
    {
      name: "the longest run without a person, where no answers are known",
      answers: undefined,
      lines: [reviewer(1), fixer(1), reviewer(2), fixer(2), reviewer(3), final],
    },
    { name: "clean at once", answers: [0], lines: [reviewer(1), final] },
    { name: "no answer is a clean one", answers: [], lines: [reviewer(1), final] },
    { name: "clean in round 2", answers: [4, 0], lines: [reviewer(1), fixer(1), reviewer(2), final] },
    {
      name: "findings to the end",
      answers: [1, 1, 1, 1],
      lines: [reviewer(1), fixer(1), reviewer(2), fixer(2), reviewer(3), asks(3), final],
    },
  ])("prints the seed's lines and goes on to the finalisation: $name", ({ answers, lines }) => {
    expect(dryRun(story, POLICIES.adversarial, answers)).toEqual(lines);
  });

  test("numbers the rounds on from those that the story had", () => {
    expect(dryRun(story, POLICIES.adversarial, [1, 0], 3)).toEqual([reviewer(4), fixer(4), reviewer(5), final]);
  });

  test("goes no further than the rounds that are left in all, not counting those of dropped work", () => {
    expect(dryRun(story, POLICIES.adversarial, undefined, 4)).toEqual([reviewer(5), final]);
    expect(dryRun(story, POLICIES.adversarial, undefined, 5)).toEqual([
      expect.stringMatching(/^\[DRY-RUN\] Story 2\.1-D4 has had 5 rounds of review, which is the limit/),
    ]);
    const anew = [reviewer(6), fixer(6), reviewer(7), fixer(7), reviewer(8), final];
    expect(dryRun(story, POLICIES.adversarial, undefined, 5, 5)).toEqual(anew);
  });

  test.for([
    {
      at: "waiting after the third round",
      play: () => exhausted("high"),
      lines: [
        expect.stringMatching(
          /waits for a person after round 3 .*: anneal take-over \| accept \| one-more \| stop story:2/,
        ),
      ],
    },
    { at: "granted one more", play: () => exhausted("high").signal("one-more"), lines: [fixer(3), reviewer(4), final] },
    {
      at: "waiting at the hard cap",
      play: () => {
        const fourth = exhausted("high").signal("one-more").mend().review(found(4, "high"));
        return fourth.signal("one-more").mend().review(found(5, "high"));
      },
      lines: [expect.stringMatching(/waits for a person after round 5 .*: anneal take-over \| accept \| stop story:2/)],
    },
    {
      at: "cut off in its second review",
      play: () => adversarial().build().review(found(1, "high")).mend(),
      lines: [reviewer(2), fixer(2), reviewer(3), final],
    },
    { at: "on its way out", play: () => adversarial().build().review(clean), lines: [final] },
    {
      at: "not built yet",
      play: () => adversarial(),
      lines: [
        expect.stringContaining("Would build Story 2.1-D4"),
        reviewer(1),
        fixer(1),
        reviewer(2),
        fixer(2),
        reviewer(3),
        final,
      ],
    },
  ])("of a loop that is $at says what would happen next", ({ play, lines }) => {
    const { state } = play();
    expect(dryRunFrom(story, POLICIES.adversarial, state)).toEqual(lines);
  });

  test("follows the limits of another policy", () => {
    const once = { limits: { ...POLICIES.adversarial.limits, reviews: 1, fixes: 1 } };
    expect(dryRun(story, once)).toEqual([reviewer(1), fixer(1), final]);
  });
});

describe("a story's status", () => {
  test.for([
    { story: "passes at once", play: () => adversarial().build().review(clean).pr(), words: "in-progress review done" },
    {
      story: "fails, is fixed, passes",
      play: () => adversarial().build().review(bad("high")).mend().review(clean).pr(),
      words: "in-progress review in-progress review done",
    },
    {
      story: "is taken over",
      play: () => exhausted("high").signal("take-over"),
      words: "in-progress review in-progress review in-progress review blocked",
    },
    {
      story: "is accepted",
      play: () => exhausted("high").signal("accept"),
      words: "in-progress review in-progress review in-progress review done",
    },
    {
      story: "gets one more round",
      play: () => exhausted("high").signal("one-more").mend().review(clean).pr(),
      words: "in-progress review in-progress review in-progress review in-progress review done",
    },
    {
      story: "has a review that breaks for good",
      play: () => adversarial().build().breaks().breaks().breaks().breaks(),
      words: "in-progress review",
    },
    {
      story: "is paused and goes on",
      play: () => adversarial().implement().signal("pause").signal("resume"),
      words: "in-progress paused in-progress",
    },
    { story: "is stopped", play: () => adversarial().build().signal("stop"), words: "in-progress review pending" },
    { story: "changes nothing", play: () => adversarial().implement(false), words: "in-progress" },
  ])("$story: $words", ({ play, words }) => {
    const played = play();
    const seen: string[] = [];
    const again = new Play(played.policy);
    for (const event of [undefined, ...played.log.slice(1)]) {
      if (event !== undefined) again.feed(event);
      const word = storyStatus(again.state);
      if (word !== seen.at(-1)) seen.push(word);
    }
    expect(seen.join(" ")).toBe(words);
    for (const word of seen) expect(STORY_STATUSES).toContain(word);
  });

  test.for([
    ["done", true],
    ["Done", true],
    ["completed", true],
    ["in-progress", false],
    ["blocked", false],
    [undefined, false],
  ] as const)("with the status %j it is done: %j", ([status, done]) => {
    expect(isStoryDone(status)).toBe(done);
  });
});

describe("commit messages of a story", () => {
  test("the work itself has its title and id", () => {
    expect(storyCommitMessage(story, adversarial().build().state, NO_FIX)).toBe(
      "feat: Lend books to readers (story 2.1-D4)",
    );
    expect(storyCommitMessage({ id: "1", title: "a\nb\u001b[31m" }, adversarial().state, NO_FIX)).toBe(
      "feat: a b (story 1)",
    );
  });

  test.for([
    { titles: ["Loans are lost"], message: "fix: address code review round 1 - Loans are lost" },
    {
      titles: ["Loans\nare lost", "b", "c"],
      message: "fix: address code review round 1 - Loans are lost and 2 more\n\nFixed: Loans are lost; b; c",
    },
    { titles: ["y".repeat(80)], message: `fix: address code review round 1 - ${"y".repeat(60)}…` },
  ])("a fix names its round and what it answers: $message", ({ titles, message }) => {
    const findings = titles.map((title, n) => finding({ title, snippet: `s${n}` }));
    const { state } = adversarial()
      .build()
      .review(report({ claim: null, findings }));
    const fixed = titles.map((title) => ({ title, category: "logic", isRefuted: false }) as const);
    expect(storyCommitMessage(story, state, { fixed, open: [] })).toBe(message);
  });

  test("the finalisation says what each round found and how the story ended", () => {
    const { state } = adversarial()
      .build()
      .review(found(1, "critical", "low"))
      .mend()
      .review(clean)
      .pr();
    expect(storyFinalMessage(story, state)).toBe(
      [
        "docs: code review findings of story 2.1-D4",
        "",
        "Round 1: 1 critical, 0 important, 1 minor",
        "Round 2: 0 critical, 0 important, 0 minor",
        "Status: done",
      ].join("\n"),
    );
  });
});
