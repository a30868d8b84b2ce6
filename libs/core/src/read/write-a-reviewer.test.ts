import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { assess } from "../loop/assess.ts";
import { POLICIES } from "../policies/index.ts";
import { read } from "./index.ts";

// The examples of docs/write-a-reviewer.md are what people copy: they have to be read as the page says.
const page = readFileSync(new URL("../../../../docs/write-a-reviewer.md", import.meta.url), "utf8");

interface Example {
  policy: keyof typeof POLICIES;
  says: "pass" | "fail" | "problem";
  text: string;
  /** The list below it. */
  reported: string[];
}

function examples(): Example[] {
  let policy: string | undefined;
  return [
    ...page.matchAll(/^## (.+)$|^````text (pass|fail|problem)(?: (\S+))?\n([\s\S]*?)^````$((?:\n+- .+)*)/gm),
  ].flatMap((found) => {
    const [, heading, says, named, text = "", list = ""] = found;
    if (heading !== undefined) policy = heading;
    return says === undefined
      ? []
      : [{ policy: named ?? policy, says, text, reported: list.match(/(?<=^- ).+/gm) ?? [] } as Example];
  });
}

const all = examples();

test("the page shows a pass and a fail for every policy", () => {
  for (const policy of Object.keys(POLICIES)) {
    const shown = all.filter((one) => one.policy === policy).map(({ says }) => says);
    expect(shown).toEqual(expect.arrayContaining(["pass", "fail"]));
  }
});

test.for(all.map((one, index) => ({ ...one, index })))(
  "example $index, $policy: $says",
  ({ policy: name, says, text, reported }) => {
    const policy = POLICIES[name];
    const report = read(policy.reviewer.contract, { text, finished: true });
    if (report.status === "inconclusive") {
      expect({ says, problems: report.problems }).toEqual({ says: "problem", problems: reported });
      return;
    }
    const seen = { round: 1, head: "", report, standing: [], regions: [], renames: {}, lastFix: undefined };
    const { verdict } = assess(policy, [], { ...seen, requirementsJudged: true });
    expect(verdict.result).toBe(says);
  },
);
