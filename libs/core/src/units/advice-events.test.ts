import { EventMap } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { refusedByHook } from "../loop/commit-hook.ts";
import { bad, clean, finding, Play, report } from "../testing/build.ts";
import { adviceEvents, adviceLines, UNIT_STATUSES, unitStatus } from "./index.ts";
import { garbage, unit } from "./testing/plays.ts";

/** What a play announces, logs for people, and the unit's status over time, from its log alone. */
function sentBy(play: Play) {
  const [first, ...rest] = play.log;
  if (first?.type !== "loop-started") throw new Error("no start");
  const again = new Play(play.policy, { tasks: first.tasks ?? [] });
  const events = adviceEvents(null, first, again.state);
  const lines: string[] = [];
  const words: string[] = [unitStatus(again.state)];
  for (const event of rest) {
    const before = again.state;
    again.feed(event);
    events.push(...adviceEvents(before, event, again.state));
    lines.push(...adviceLines(before, event, again.state));
    if (unitStatus(again.state) !== words.at(-1)) words.push(unitStatus(again.state));
  }
  return {
    events,
    names: events.map(({ type }) => type.replace("codereview.", "")).join(" "),
    lines,
    words: words.join(" "),
  };
}

const refused = (play: Play, says = "no tabs") =>
  play.feed({ type: "commit-refused", at: 9, findings: [refusedByHook(says)] });

describe("seed 004, from the log", () => {
  test.for<{ story: string; play: () => Play; names: string; words: string; lines: string[] }>([
    {
      story: "no issues",
      play: () => unit().build().review(clean).merged(),
      names: "started passed",
      words: "in_progress in_review merging complete",
      lines: ["Code review passed: Looks right."],
    },
    {
      story: "issues, fixed once, no second review",
      play: () => unit().build().review(bad("info")).mend().merged(),
      names: "started issues_found fix_applied",
      words: "in_progress in_review in_progress merging complete",
      lines: ["Code review found 1 issues, attempting fix"],
    },
    {
      story: "two fixes allowed, the second review passes",
      play: () => unit({ max_fix_iterations: 2 }).build().review(bad("high", 1)).mend().review(clean).merged(),
      names: "started issues_found fix_applied started passed",
      words: "in_progress in_review in_progress in_review merging complete",
      lines: ["Code review found 1 issues, attempting fix", "Code review passed: Looks right."],
    },
    {
      story: "the second review repeats what a person has dismissed since",
      play: () => {
        const play = unit({ max_fix_iterations: 2 }).build().review(bad("high", 1)).fix().validate().commit();
        const { fingerprint } = play.state.findings[0]!;
        const word = { type: "finding-disposed", at: 9, id: "d1", fingerprint, by: "ada", reason: "Meant." } as const;
        return play
          .feed({ ...word, disposition: "dismissed" })
          .review(bad("high", 1))
          .merged();
      },
      names: "started issues_found fix_applied started passed",
      words: "in_progress in_review in_progress in_review merging complete",
      lines: ["Code review found 1 issues, attempting fix", expect.stringMatching(/^Code review passed: /) as never],
    },
    {
      story: "three tasks, each committed by itself, and one review of them all",
      play: () => unit({}, ["1", "2", "3"]).build().build().build().review(clean).merged(),
      names: "started passed",
      words: "in_progress in_review merging complete",
      lines: ["Code review passed: Looks right."],
    },
    {
      story: "review only",
      play: () => unit({ max_fix_iterations: 0 }).build().review(bad("critical")).merged(),
      names: "started issues_found",
      words: "in_progress in_review merging complete",
      lines: ["Code review found 1 issues"],
    },
    {
      story: "switched off",
      play: () => unit({ enabled: false }).build().merged(),
      names: "",
      words: "in_progress merging complete",
      lines: [],
    },
    {
      story: "the reviewer is missing or crashes",
      play: () => unit().build().breaks("codex was not found").merged(),
      names: "started failed",
      words: "in_progress in_review merging complete",
      lines: ["Code review failed to run: codex was not found"],
    },
    {
      story: "the reviewer answers garbage",
      play: () => unit().build().review(garbage).merged(),
      names: "started failed",
      words: "in_progress in_review merging complete",
      lines: ["Code review failed to run: the answer is no JSON"],
    },
    {
      story: "the reviewer reviewed another head",
      play: () => unit().build().review(clean, { head: "other" }).merged(),
      names: "started failed",
      words: "in_progress in_review merging complete",
      lines: ["Code review failed to run: the review was of other, not of c1"],
    },
    {
      story: "the reviewer passed what it could not see",
      play: () =>
        unit()
          .build()
          .review(clean, { coverage: { reviewed: [], skipped: [] } })
          .merged(),
      names: "started failed",
      words: "in_progress in_review merging complete",
      lines: ["Code review failed to run: the review cannot be trusted and does not count"],
    },
    {
      story: "the fix fails",
      play: () => unit().build().review(bad()).breaks("no network").merged(),
      names: "started issues_found",
      words: "in_progress in_review in_progress merging complete",
      lines: ["Code review found 1 issues, attempting fix", "Fix attempt failed: no network"],
    },
    {
      story: "the fix changes nothing",
      play: () => unit().build().review(bad()).fix(false).merged(),
      names: "started issues_found",
      words: "in_progress in_review in_progress merging complete",
      lines: ["Code review found 1 issues, attempting fix"],
    },
    {
      story: "the fix never passes the checks",
      play: () =>
        unit()
          .build()
          .review(bad())
          .fix()
          .validate("failed")
          .fix()
          .validate("failed")
          .fix()
          .validate("failed")
          .merged(),
      names: "started issues_found",
      words: "in_progress in_review in_progress merging complete",
      lines: ["Code review found 1 issues, attempting fix", "Fix attempt failed: 2 tests fail"],
    },
    {
      story: "the fix passes the checks after a repair",
      play: () => unit().build().review(bad()).fix().validate("failed").mend().merged(),
      names: "started issues_found fix_applied",
      words: "in_progress in_review in_progress merging complete",
      lines: ["Code review found 1 issues, attempting fix"],
    },
    {
      story: "the commit of the fix fails",
      play: () => unit().build().review(bad()).fix().validate().breaks("the disk is full").merged(),
      names: "started issues_found",
      words: "in_progress in_review in_progress merging complete",
      lines: ["Code review found 1 issues, attempting fix", "Failed to commit review fixes: the disk is full"],
    },
    {
      story: "a hook refuses the fix to the end",
      play: () => {
        const play = unit().build().review(bad()).fix().validate();
        return refused(refused(refused(play).fix().validate()).fix().validate()).merged();
      },
      names: "started issues_found",
      words: "in_progress in_review in_progress merging complete",
      lines: ["Code review found 1 issues, attempting fix", "Failed to commit review fixes: no tabs"],
    },
    {
      story: "a hook refuses the fix, and the next try changes nothing",
      play: () => refused(unit().build().review(bad()).fix().validate()).fix(false).merged(),
      names: "started issues_found",
      words: "in_progress in_review in_progress merging complete",
      lines: ["Code review found 1 issues, attempting fix", "Failed to commit review fixes: no tabs"],
    },
    {
      story: "a hook refuses the fix, and the next try fails",
      play: () => refused(unit().build().review(bad()).fix().validate()).breaks("no network").merged(),
      names: "started issues_found",
      words: "in_progress in_review in_progress merging complete",
      lines: [
        "Code review found 1 issues, attempting fix",
        "Failed to commit review fixes: no tabs",
        "Fix attempt failed: no network",
      ],
    },
    {
      story: "a hook refuses the fix without a word, and the next try takes it back",
      play: () =>
        refused(unit().build().review(bad()).fix().validate(), "")
          .fix()
          .validate()
          .feed({ type: "nothing-to-commit", at: 9 })
          .merged(),
      names: "started issues_found",
      words: "in_progress in_review in_progress merging complete",
      lines: [
        "Code review found 1 issues, attempting fix",
        "Fix attempt failed: the refused changes were undone, and no change is left",
      ],
    },
    {
      story: "a hook refuses the fix without a word, and the next try changes nothing",
      play: () => refused(unit().build().review(bad()).fix().validate(), "").fix(false).merged(),
      names: "started issues_found",
      words: "in_progress in_review in_progress merging complete",
      lines: ["Code review found 1 issues, attempting fix", "Failed to commit review fixes: a hook refused them"],
    },
    {
      story: "the fix does not pass the checks, and the next try changes nothing",
      play: () => unit().build().review(bad()).fix().validate("failed").fix(false).merged(),
      names: "started issues_found",
      words: "in_progress in_review in_progress merging complete",
      lines: ["Code review found 1 issues, attempting fix", "Fix attempt failed: 2 tests fail"],
    },
    {
      story: "the checks of the fix cannot be run",
      play: () => unit().build().review(bad()).fix().breaks("the disk is full").merged(),
      names: "started issues_found",
      words: "in_progress in_review in_progress merging complete",
      lines: ["Code review found 1 issues, attempting fix", "Fix attempt failed: the disk is full"],
    },
    {
      story: "the merge conflicts, and nothing is lost",
      play: () =>
        unit()
          .build()
          .review(clean)
          .feed({ type: "merge-conflicted", at: 9, files: ["a.ts"] }),
      names: "started passed",
      words: "in_progress in_review merging blocked",
      lines: ["Code review passed: Looks right."],
    },
    {
      story: "its tasks never pass their checks",
      play: () => unit().implement().validate("failed").fix().validate("failed").fix().validate("failed"),
      names: "",
      words: "in_progress blocked",
      lines: [],
    },
    {
      story: "stopped during the review",
      play: () => unit().build().signal("stop"),
      names: "started",
      words: "in_progress in_review pending",
      lines: [],
    },
    {
      story: "paused during the review, and goes on",
      play: () => unit().build().signal("pause").signal("resume").review(clean).merged(),
      names: "started started passed",
      words: "in_progress in_review merging complete",
      lines: ["Code review passed: Looks right."],
    },
  ])("$story", ({ play, names, words, lines }) => {
    const sent = sentBy(play());
    expect(sent.names).toBe(names);
    expect(sent.words).toBe(words);
    expect(sent.lines).toEqual(lines);
    for (const { type, payload } of sent.events) expect(EventMap.shape[type].safeParse(payload).success).toBe(true);
    for (const word of sent.words.split(" ")) expect(UNIT_STATUSES).toContain(word);
  });

  test("issues_found carries the count and the issues in the seed's shape", () => {
    const findings = [
      finding({ severity: "medium", title: "Slow", description: "It is slow.", suggestion: "Cache it." }),
      { severity: "low", category: "style", title: "Name", description: "" } as const,
    ];
    const { events } = sentBy(
      unit()
        .build()
        .review(report({ claim: null, findings })),
    );
    expect(events.at(-1)).toEqual({
      type: "codereview.issues_found",
      payload: {
        count: 2,
        issues: [
          { file: "src/cart.ts", line: 10, severity: "warning", message: "Slow: It is slow.", suggestion: "Cache it." },
          { file: "", line: 0, severity: "suggestion", message: "Name" },
        ],
      },
    });
  });

  test("a bare rejection is an issue, never a pass", () => {
    const { events } = sentBy(
      unit()
        .build()
        .review(report({ claim: "fail", findings: [], summary: "No." })),
    );
    expect(events.at(-1)).toMatchObject({ type: "codereview.issues_found", payload: { count: 1 } });
  });

  test("failed carries the error, and passed the summary", () => {
    expect(sentBy(unit().build().breaks("boom")).events.at(-1)?.payload).toEqual({ error: "boom" });
    expect(sentBy(unit().build().review(clean)).events.at(-1)?.payload).toEqual({ summary: "Looks right." });
  });
});
