import { type LoopEvent, LoopState } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { POLICIES } from "../policies/index.ts";
import { bad, clean, finding, Play, report } from "../testing/build.ts";
import { documentsBy, leftBy, reviewedHead } from "./closing.ts";
import { replay } from "./loop.ts";

type PolicyName = keyof typeof POLICIES;
const story = (policy: PolicyName = "adversarial") => new Play(POLICIES[policy], { documents: "due" });
const undeliverable = (play: Play) =>
  play.feed({ type: "delivery-skipped", at: 99_000, reason: "no forge; the branch is ready" });
const exhausted = (severity: "high" | "critical") => {
  const play = story().build();
  for (const round of [1, 2]) play.review(bad("high", round)).mend();
  return play.review(bad(severity, 3));
};
const refused: LoopEvent = { type: "commit-refused", at: 1, findings: [finding({ title: "A hook says no" })] };

describe("reviews that are committed as documents", () => {
  test.for([
    { policy: "adversarial", next: "opening-pr" },
    { policy: "gate", next: "ended: passed" },
    { policy: "advisory", next: "merging" },
  ] as const)("$policy: after the pass, and before anything is delivered: then $next", ({ policy, next }) => {
    const play = story(policy).build().review(clean);
    expect(play.state).toMatchObject({ stage: "committing", of: "documents", plan: null, head: "c1" });
    expect(play.commit().where).toBe(next);
    expect(play.state).toMatchObject({ head: "c1", verdict: { head: "c1" }, documents: { commit: "c2", of: "c1" } });
  });

  test("are not waited for where an item has none", () => {
    expect(new Play(POLICIES.adversarial).build().review(clean).where).toBe("opening-pr");
  });

  test("count as committed where nothing about them is new", () => {
    const play = story().build().review(clean).feed({ type: "nothing-to-commit", at: 1 });
    expect(play.state).toMatchObject({ stage: "opening-pr", documents: { commit: "c1", of: "c1" } });
  });

  test("go to a person where a hook refuses them, and are tried again on a word", () => {
    const play = story().build().review(clean).feed(refused);
    expect(play.state).toMatchObject({
      reason: "step-broke",
      options: ["retry", "take-over", "stop"],
      detail: expect.stringContaining("A hook says no"),
    });
    expect(play.signal("retry").commit().where).toBe("opening-pr");
  });

  test("go to a person where committing them breaks, under every policy", () => {
    for (const policy of ["adversarial", "gate", "advisory"] as const) {
      const play = story(policy).build().review(clean);
      for (let tries = 0; tries <= POLICIES[policy].limits.retries; tries++) play.breaks("disk full");
      expect(play.where, policy).toBe("waiting: step-broke");
    }
  });

  test("are not held back by a cap: delivery is never cut short", () => {
    const caps = { tokens: 10 };
    const play = new Play({ ...POLICIES.adversarial, caps }, { documents: "due" }).build();
    expect(play.review(clean, { usage: { outputTokens: 50 } }).state).toMatchObject({ stage: "committing" });
  });

  test("wait with the change where that must not be published yet", () => {
    const open = report({ claim: "pass", findings: [finding({ rule: "secret", severity: "low" })] });
    expect(story().build().review(open).state).toMatchObject({ reason: "never-publish", documents: "due" });
  });

  test("are due again when the head moves after them", () => {
    const play = new Play(POLICIES["pull-request"], { documents: "due" }).build().review(clean).commit().pr();
    const comment = finding({ title: "Please rename it" });
    play.feedback({ report: report({ findings: [comment] }) }).mend();
    expect(play.state).toMatchObject({ stage: "reviewing", documents: "due" });
  });
});

describe("what a loop delivers, and what a commit on the forge stands for", () => {
  const built = () => new Play(POLICIES["pull-request"], { documents: "due" }).build();
  const opened = () => built().review(clean).commit().pr();
  const refined = () => opened().signal("refine", "Shorter.").mend();
  test.for([
    { when: "nothing is committed yet", from: () => story(), left: "base", theirs: { base: "base" } },
    { when: "it is not documented yet", from: built, left: "c1", theirs: { c1: "c1" } },
    { when: "its documents are committed", from: opened, left: "c2", theirs: { c1: "c1", c2: "c1", other: "other" } },
    {
      when: "it is fixed after that",
      from: () => opened().signal("refine", "Shorter."),
      left: "c2",
      theirs: { c2: "c1" },
    },
    { when: "a fix is committed after that", from: refined, left: "c3", theirs: { c2: "c1", c3: "c3" } },
    {
      when: "a review of the fix is paused",
      from: () => refined().signal("pause").signal("resume"),
      left: "c3",
      theirs: { c2: "c1" },
    },
    {
      when: "the fix is documented, too",
      from: () => refined().review(clean).commit().pr(),
      left: "c4",
      theirs: { c2: "c1", c3: "c3", c4: "c3" },
    },
    {
      when: "a second fix is committed",
      from: () => refined().review(clean).commit().pr().signal("refine", "Longer.").mend(),
      left: "c5",
      theirs: { c2: "c1", c4: "c3" },
    },
    {
      when: "it has no documents at all",
      from: () => new Play(POLICIES["pull-request"]).build().review(clean).pr(),
      left: "c1",
      theirs: { c1: "c1" },
    },
  ])("when $when", ({ from, left, theirs }) => {
    const { state, log, policy } = from();
    expect(leftBy(state)).toBe(left);
    for (const [commit, head] of Object.entries(theirs)) expect(reviewedHead(state, commit), commit).toBe(head);
    expect(replay(log)).toEqual({ policy, state });
  });

  test("all commits of documents stay known to the end", () => {
    const { state } = refined().review(clean).commit().pr().signal("stop");
    expect(documentsBy(state)).toEqual([
      { commit: "c2", of: "c1" },
      { commit: "c4", of: "c3" },
    ]);
    expect(LoopState.parse(state)).toEqual(state);
  });
});

describe("what a person accepts", () => {
  test("ends at once where there is nothing to commit", () => {
    const play = new Play(POLICIES.adversarial).build();
    for (const round of [1, 2]) play.review(bad("high", round)).mend();
    expect(play.review(bad("high", 3)).signal("accept").where).toBe("ended: accepted");
  });

  test("is delivered after its documents, and ends as accepted, never as passed", () => {
    const play = exhausted("high").signal("accept");
    expect(play.state).toMatchObject({ stage: "committing", of: "documents", acceptedBy: "ada" });
    expect(play.commit().where).toBe("opening-pr");
    expect(undeliverable(play).state).toMatchObject({
      outcome: "accepted",
      detail: "accepted by ada with open findings; no forge; the branch is ready",
    });
    expect(exhausted("high").signal("accept").commit().pr().where).toBe("ended: accepted");
  });

  test("is not published with an open critical finding, but is accepted all the same", () => {
    expect(exhausted("critical").signal("accept").commit().state).toMatchObject({
      stage: "ended",
      outcome: "accepted",
      detail: expect.stringContaining("not pushed while these findings are open"),
    });
  });
});
