import { describe, expect, onTestFinished, test, vi } from "vitest";
import { anchored, castFor } from "./cast.ts";

const all = (name: string) => ({ implementer: name, reviewer: name, fixer: name });

describe("who plays in a loop", () => {
  test.for([
    { what: "the settings", chosen: {}, bound: undefined, settings: all("s"), cast: all("s") },
    {
      what: "what the loop is bound to over the settings",
      chosen: {},
      bound: all("b"),
      settings: all("s"),
      cast: all("b"),
    },
    {
      what: "what this run was told over both, part by part",
      chosen: { reviewer: "t" },
      bound: all("b"),
      settings: all("s"),
      cast: { implementer: "b", reviewer: "t", fixer: "b" },
    },
  ])("is $what", ({ chosen, bound, settings, cast }) => {
    expect(castFor(chosen, bound, settings)).toEqual(cast);
  });

  test("a part that nobody plays is a mistake that says how to mend it", () => {
    expect(() => castFor({ reviewer: "builtin" }, undefined, {})).toThrow(
      /^no agent is set for: implementer, fixer\. Name them with --agent .*settings\.json/,
    );
  });
});

test.for([
  { name: "scripted:a.json", anchored: "scripted:/p/a.json" },
  { name: "replay:sub/{id}.json", anchored: "replay:/p/sub/{id}.json" },
  { name: "scripted:/x/a.json", anchored: "scripted:/x/a.json" },
  { name: "builtin", anchored: "builtin" },
  { name: "scripted:", anchored: "scripted:" },
  { name: "command:./review.sh --fast", anchored: "command:/p/review.sh --fast" },
  { name: "command:bin/review", anchored: "command:/p/bin/review" },
  { name: "command:review", anchored: "command:review" },
  { name: "acp:/opt/agent --acp", anchored: "acp:/opt/agent --acp" },
  { name: 'command:"./my review" "a b"', anchored: 'command:"/p/my review" "a b"' },
])("$name means $anchored wherever the loop goes on", ({ name, anchored: meant }) => {
  expect(anchored(name, "/p")).toBe(meant);
});

test("a script that the environment names stays the loop's, whatever the next environment says", () => {
  vi.stubEnv("ANNEAL_SCRIPT", "/x/strict.json");
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(anchored("scripted", "/p")).toBe("scripted:/x/strict.json");
  expect(anchored("builtin+scripted", "/p")).toBe("builtin+scripted:/x/strict.json");
  expect(anchored("scripted:a.json", "/p")).toBe("scripted:/p/a.json");
});
