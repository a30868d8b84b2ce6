import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ReviewLoopAnalytics } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { approve, project, reject, writes } from "../testing/project.ts";

const weak = writes("implementer", "export const ok = (p) => true;\n");
const strong = writes("fixer", "export const ok = (p) => p.length > 7;\n");
const FILE = ".automaker/analytics/review-loop.json";

describe("anneal stats", () => {
  test.concurrent("says what to do where nothing has run yet", async () => {
    using here = project({ f1: { steps: [] } });
    const run = await here.anneal("stats");
    expect(run).toMatchObject({ code: 0, stderr: "" });
    expect(run.stdout).toContain("anneal run --all");
    expect(existsSync(join(here.dir, FILE))).toBe(false);
  });

  test.concurrent("shows what loops came to as a table and as data, and counts anew what is lost", async () => {
    using here = project(
      { easy: { steps: [weak, approve] }, hard: { steps: [weak, reject, strong, approve] } },
      { settings: { analytics: { minutesPerFinding: 90 } } },
    );
    expect((await here.anneal("run", "easy", "hard")).code).toBe(0);
    const { stdout, stderr, code } = await here.anneal("stats");
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^Review loops, \d{4}-\d\d-\d\d\n\n/);
    for (const line of [
      /^ {2}loops +2 {2}3 reviews, 1 fix$/m,
      /^ {2}first review passed +50%$/m,
      /^ {2}iterations before PR +– {2}on average$/m,
      /^ {2}iterations to a pass +1\.5 {2}on average/m,
      /^ {2}issues found +1 {2}1 auto-fixed, 100% resolved$/m,
      /^ {2}time saved, estimated +1h 30m {2}1 auto-fixed × 90 min \+ 3 reviews × 0 min$/m,
      /^ {2}cost +\$0\.50 {2}20 tokens$/m,
      /^ {2}compliance +█+ +1 {2}100% {2}1 fixed$/m,
      /^ {2}\d{4}-\d\d-\d\d +1 found +1 fixed {2}compliance 1$/m,
    ])
      expect(stdout).toMatch(line);

    const data = JSON.parse((await here.anneal("stats", "--json")).stdout);
    const written = ReviewLoopAnalytics.parse(JSON.parse(readFileSync(join(here.dir, FILE), "utf8")));
    expect(data.summary).toEqual(written.summary);
    rmSync(join(here.dir, FILE));
    expect((await here.anneal("stats", "--rebuild", "--json")).stdout).toBe(`${JSON.stringify(data, null, 2)}\n`);
    expect(ReviewLoopAnalytics.parse(JSON.parse(readFileSync(join(here.dir, FILE), "utf8")))).toEqual(written);
    expect((await here.anneal("stats", "--to", "2001-01-01")).stdout).toContain("Nothing happened in that time");
  });

  test.concurrent.for([
    { args: ["--from", "monday"], says: '--from needs a day such as 2026-01-31, not "monday"' },
    { args: ["--to", "2026-02-30"], says: '--to needs a day such as 2026-01-31, not "2026-02-30"' },
    { args: ["--from", "2026-02-02", "--to", "2026-02-01"], says: "--to 2026-02-01 is before --from 2026-02-02" },
  ])("$args is refused: $says", async ({ args, says }) => {
    using here = project({});
    const run = await here.anneal("stats", ...args);
    expect(run).toMatchObject({ code: 2, stdout: "" });
    expect(run.stderr).toContain(says);
  });
});
