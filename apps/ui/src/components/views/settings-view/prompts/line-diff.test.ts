import { expect, test } from "vitest";
import { folded, lineDiff, type TextDiffLine } from "./line-diff.ts";

const SIGNS: Record<TextDiffLine["kind"], string> = { same: " ", added: "+", removed: "-" };
const drawn = (was: string, now: string) => lineDiff(was, now).map(({ kind, text }) => SIGNS[kind] + text);

test.for([
  { was: "a\nb", now: "a\nb", lines: [" a", " b"] },
  { was: "a\nb\nc", now: "a\nx\nc", lines: [" a", "-b", "+x", " c"] },
  { was: "a\nc", now: "a\nb\nc", lines: [" a", "+b", " c"] },
  { was: "a\nb\nc\nd", now: "b\nd", lines: ["-a", " b", "-c", " d"] },
  { was: "a\nb\nz", now: "x\na\nb\nw", lines: ["+x", " a", " b", "-z", "+w"] },
  { was: "a", now: "", lines: ["-a", "+"] },
])("$was to $now takes the fewest lines", ({ was, now, lines }) => {
  expect(drawn(was, now)).toEqual(lines);
});

test("both texts can be read back out of it, also where they are too long to compare", () => {
  const was = Array.from({ length: 2_500 }, (_, line) => `old ${line}`).join("\n");
  const now = Array.from({ length: 2_500 }, (_, line) => `new ${line}`).join("\n");
  const side = (without: TextDiffLine["kind"]) =>
    lineDiff(was, now)
      .filter(({ kind }) => kind !== without)
      .map(({ text }) => text)
      .join("\n");
  expect([side("added"), side("removed")]).toEqual([was, now]);
});

test("lines far from a change are folded and counted", () => {
  const was = Array.from({ length: 12 }, (_, line) => `${line}`).join("\n");
  const shown = folded(lineDiff(was, was.replace("\n11", "\nlast")));
  expect(shown[0]).toEqual({ line: 0, kind: "fold", count: 8 });
  expect(shown.slice(1).map(({ kind }) => kind)).toEqual(["same", "same", "same", "removed", "added"]);
});
