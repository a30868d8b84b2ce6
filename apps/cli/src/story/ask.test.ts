import { PassThrough } from "node:stream";
import { escalation } from "@anneal/core/stories";
import { describe, expect, test } from "vitest";
import { exhausted } from "../../../../libs/core/src/stories/testing/rounds.ts";
import { ask } from "./ask.ts";

const asked = escalation({ id: "2.1" }, exhausted("high", "low").state);

/** Asks somebody who types these lines and then leaves. */
async function answering(lines: string) {
  if (asked === null) throw new Error("nobody is asked");
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  stdin.end(lines);
  const signal = await ask({ key: "story:2.1", asked }, { stdin, stdout });
  return { signal, text: String(stdout.read()) };
}

describe("a person at a terminal", () => {
  test("is shown where the document waits, the block of the seed to its last line, and is asked for a choice", async () => {
    const { text } = await answering("b\n");
    expect(text).toContain("waits at .automaker/stories/2.1/story-2.1-review-findings-round-3.md;");
    expect(text.endsWith(`\n\n${asked?.text} `)).toBe(true);
  });

  test.for([
    { types: "a", signal: "take-over" },
    { types: "b", signal: "accept" },
    { types: "c", signal: "one-more" },
    { types: "what?\n\n(C)", signal: "one-more" },
  ])("who types $types says $signal", async ({ types, signal }) => {
    expect((await answering(`${types}\n`)).signal).toBe(signal);
  });

  test("who leaves has not answered, and is told how to do that later", async () => {
    const { signal, text } = await answering("what?\n");
    expect(signal).toBeNull();
    expect(text).toContain("a, b, c are the choices; Ctrl-D leaves it open\n");
    expect(text).toContain("Answer later with anneal take-over | accept | one-more story:2.1\n");
  });
});
