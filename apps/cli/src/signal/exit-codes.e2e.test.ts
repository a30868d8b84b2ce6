import { describe, expect, test } from "vitest";
import { anneal } from "../testing/anneal.ts";
import { approve, project, reject, writes } from "../testing/project.ts";

const weak = writes("implementer", "export const ok = (p) => true;\n");
const fix = (n: number) => writes("fixer", `export const ok = (p) => p.length > ${n};\n`);
type Here = ReturnType<typeof project>;

/** All go the same way to their exit code; which of them are legal when is a table in the core. */
const SAYINGS = [
  ...["approve", "resume", "one-more", "stop"].map((signal) => (id: string) => [signal, id]),
  ...["dismiss", "reopen"].map((ruling) => (id: string) => [ruling, id, "0123456789", "--reason", "So it is."]),
];

interface Case {
  what: string;
  id: string;
  given: (here: Here) => Promise<unknown>;
  /** Words that are possible then, or about which something else is wrong. */
  besides?: string[];
  code: number;
  says: RegExp;
}

const RULINGS = ["dismiss", "reopen"];

describe("what cannot be said to a loop ends with 1, and what was not understood with 2", () => {
  test.concurrent.for<Case>([
    {
      what: "an item that is not there",
      id: "nope",
      given: async () => {},
      code: 2,
      says: /nothing is called nope/,
    },
    {
      what: "an item in a project that has run nothing",
      id: "f1",
      given: async () => {},
      code: 1,
      says: /^f1 has no loop yet; start one with anneal run f1$/,
    },
    {
      what: "an item that has not run",
      id: "f1",
      given: (here) => here.anneal("run", "f2"),
      code: 1,
      says: /^f1 has no loop yet; start one with anneal run f1$/,
    },
    {
      what: "a loop that has ended",
      id: "f2",
      given: (here) => here.anneal("run", "f2"),
      besides: RULINGS,
      code: 1,
      says: /^the loop has ended$/,
    },
    {
      what: "a loop that waits for something else",
      id: "f3",
      given: (here) => here.anneal("run", "f3"),
      besides: ["resume", "stop", ...RULINGS],
      code: 1,
      says: /not possible while waiting|review is required|has not begun/,
    },
    {
      what: "a loop that is under way",
      id: "f2",
      given: (here) => anneal(here.dir, ["run", "f2"], { ANNEAL_FAILPOINT: "git.commit-object.before" }),
      besides: ["stop", ...RULINGS],
      code: 1,
      says: /not possible while|review is required/,
    },
  ])("$what", async ({ id, given, besides = [], code, says }) => {
    using here = project({
      f1: { steps: [] },
      f2: { steps: [weak, approve] },
      f3: { steps: [weak, reject, fix(1), reject, fix(2), reject] },
    });
    await given(here);
    for (const saying of SAYINGS) {
      const [word = "", ...args] = saying(id);
      if (besides.includes(word)) continue;
      const said = await here.anneal(word, ...args);
      expect([word, said.code, said.stdout]).toEqual([word, code, ""]);
      expect(said.stderr.replace(`anneal ${word}: `, "").trim()).toMatch(says);
    }
    if (code === 2) return;
    const { stdout, stderr, ...asData } = await here.anneal("approve", id, "--json");
    expect([asData.code, stderr]).toEqual([code, ""]);
    expect(JSON.parse(stdout)).toMatchObject({
      item: id,
      said: "approve",
      result: "refused",
      reason: expect.stringMatching(says),
    });
  });
});
