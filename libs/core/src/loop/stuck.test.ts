import type { LoopEvent } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { POLICIES } from "../policies/index.ts";
import { bad, Play } from "../testing/build.ts";
import { refusedByHook } from "./commit-hook.ts";
import { stuckOn } from "./stuck.ts";

/** A loop whose commits a hook refuses until a person is asked. */
function refused(says: string): Play {
  const play = new Play(POLICIES.gate).implement().validate();
  const no: LoopEvent = { type: "commit-refused", at: 9, findings: [refusedByHook(says)] };
  play.feed(no);
  while (play.state.stage === "fixing") play.fix().validate().feed(no);
  return play;
}

const lines = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => `${from + at}`).join("\n");

describe("what a hook said is shown where a person decides", () => {
  test.for([
    { what: "in its words", says: "ESLINT: no-foo at line 3\n", detail: ': "ESLINT: no-foo at line 3"' },
    {
      what: "without control characters, on one line",
      says: "\u001b[31mno\u001b[0m\r\n\n\u0007foo",
      detail: ': "no foo"',
      said: "no\n\nfoo",
    },
    { what: "cut", says: "x".repeat(5_000), detail: `: "…${"x".repeat(159)}"`, said: `…${"x".repeat(4_000)}` },
    { what: "its last lines", says: lines(1, 90), detail: /: "….* 89 90"$/, said: `…\n${lines(61, 90)}` },
    { what: "or nothing more", says: "", detail: /refused the change"$/, said: "" },
  ])("$what", ({ says, detail, said = says.trim() }) => {
    const { state } = refused(says);
    const title = "A commit hook refused the change";
    const whole = typeof detail === "string" ? `stuck on "${title}"${detail}` : expect.stringMatching(detail);
    expect(state).toMatchObject({ reason: "validation-failed", detail: whole });
    expect(stuckOn(state)).toEqual([{ title, file: null, line: null, said }]);
  });

  test("where the fix changed nothing, too", () => {
    const play = new Play(POLICIES.gate).implement().validate();
    play.feed({ type: "commit-refused", at: 9, findings: [refusedByHook("no foo")] }).fix(false);
    expect(play.state).toMatchObject({ reason: "stalled", detail: expect.stringMatching(/: "no foo"$/) });
    expect(stuckOn(play.state)).toMatchObject([{ said: "no foo" }]);
  });
});

test("what a review found is listed with its rounds, and not once more", () => {
  expect(stuckOn(new Play(POLICIES.gate).build().review(bad()).fix(false).state)).toEqual([]);
});
