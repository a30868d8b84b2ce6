import type { Seen } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { POLICIES } from "../policies/index.ts";
import { bad, clean, finding, Play, report } from "../testing/build.ts";
import { outdated, seenIn } from "./seen.ts";
import { refusal } from "./signals.ts";

const asked = report({ findings: [finding({ severity: "high", title: "Not like this" })] });
const ready = () => new Play(POLICIES["pull-request"]).build().review(clean).pr().feedback();
const readyAgain = () => ready().feedback({ report: asked }).mend().review(clean).pr();
const readyAsItWas = () => ready().feedback({ report: asked }).fix(false).pr();
const exhausted = () => {
  const play = new Play(POLICIES.adversarial).build();
  return play.review(bad("high", 1)).mend().review(bad("high", 1)).mend().review(bad("high", 1));
};
const oneMore = () => exhausted().signal("one-more").mend().review(bad("critical", 2));
const refuted = () => {
  const play = exhausted().signal("one-more");
  const [entry] = play.state.findings;
  return play.fix(false, [{ fingerprint: entry?.fingerprint ?? "", evidence: "It is right." }]).review(bad("high", 1));
};
const of = ({ state }: Play): Seen => seenIn("f1~1", state);
const again = (signal: string) => `: check the new state, then send ${signal} again`;

describe("a word holds for what was looked at", () => {
  test.for([
    { what: "what is there", seen: ready, now: ready, signal: "approve", refused: null },
    { what: "nothing that is named", seen: null, now: readyAgain, signal: "approve", refused: null },
    {
      what: "an older head",
      seen: ready,
      now: readyAgain,
      signal: "approve",
      refused: `approve was meant for c1 after round 1, and the loop is now at c2 after round 2 and 1 answer to feedback${again("approve")}`,
    },
    {
      what: "the same head before somebody spoke on its pull request",
      seen: ready,
      now: readyAsItWas,
      signal: "approve",
      refused: `approve was meant for c1 after round 1, and the loop is now at c1 after round 1 and 1 answer to feedback${again("approve")}`,
    },
    {
      what: "an older round",
      seen: exhausted,
      now: oneMore,
      signal: "accept",
      refused: `accept was meant for c3 after round 3, and the loop is now at c4 after round 4${again("accept")}`,
    },
    {
      what: "an older round of the same head",
      seen: exhausted,
      now: refuted,
      signal: "take-over",
      refused: `take-over was meant for c3 after round 3, and the loop is now at c3 after round 4${again("take-over")}`,
    },
    { what: "whatever it was, since it only stops", seen: ready, now: readyAgain, signal: "stop", refused: null },
    {
      what: "what was there before any commit",
      seen: () => new Play(POLICIES["pull-request"]),
      now: () => new Play(POLICIES["pull-request"]).build(),
      signal: "retry",
      refused: `retry was meant for no commit before any review, and the loop is now at c1 before any review${again("retry")}`,
    },
    {
      what: "whatever it was, where it is not possible at all",
      seen: ready,
      now: () => ready().feedback({ report: asked }),
      signal: "approve",
      refused: "approve is not possible while fixing",
    },
  ] as const)("$signal about $what", ({ seen, now, signal, refused }) => {
    const play = now();
    const about = seen === null ? undefined : of(seen());
    expect(refusal(play.policy, play.state, signal, about)).toBe(refused);
    const before = play.where;
    const word = { type: "signalled", at: 99, id: "late", signal, by: "ada" } as const;
    play.feed(about === undefined ? word : { ...word, seen: about });
    expect(play.state.signals.includes("late")).toBe(refused === null);
    if (refused !== null) expect(play.where).toBe(before);
  });
});

test("commits are named in short", () => {
  const seen = { ...of(ready()), head: "d67c55b0123456789012345678901234567890ab" };
  expect(outdated(ready().state, "approve", seen)).toMatch(/^approve was meant for d67c55b after round 1, /);
});
