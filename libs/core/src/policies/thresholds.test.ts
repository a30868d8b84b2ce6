import type { CompleteReport, Severity } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { finding, Play, report } from "../testing/build.ts";
import { POLICIES, pullRequestWith } from "./index.ts";

const LEVELS = ["critical", "high", "medium", "low"] as const;
const WORST = [...LEVELS, "info"] as const;
const CLAIMS = ["pass", "fail"] as const;

const reportWith = (claim: "pass" | "fail", severity: Severity) => report({ claim, findings: [finding({ severity })] });

/** What passes, written out: a finding blocks from its own threshold on, whatever word stands next to it. */
const PASSES: Record<(typeof LEVELS)[number], readonly Severity[]> = {
  critical: ["high", "medium", "low", "info"],
  high: ["medium", "low", "info"],
  medium: ["low", "info"],
  low: ["info"],
};

describe("pull-request: the threshold decides", () => {
  const table = LEVELS.flatMap((threshold) =>
    CLAIMS.flatMap((claim) =>
      WORST.map((worst) => ({ threshold, claim, worst, passes: PASSES[threshold].includes(worst) })),
    ),
  );
  test.for(table)("threshold $threshold, the reviewer says $claim, worst finding $worst → passes: $passes", (row) => {
    const policy = pullRequestWith({ maxIterations: 3, severityThreshold: row.threshold });
    const { verdict } = new Play(policy).build().review(reportWith(row.claim, row.worst)).state;
    expect(verdict?.verdict.result).toBe(row.passes ? "pass" : "fail");
  });

  test("a pass over findings that the reviewer wants gone says so", () => {
    const policy = pullRequestWith({ maxIterations: 3, severityThreshold: "high" });
    const { verdict } = new Play(policy).build().review(reportWith("fail", "medium")).state;
    expect(verdict?.verdict.reason).toBe("no finding at or above high; the reviewer rejected only for milder findings");
  });

  const NIT = { title: "The name is unclear", description: "tmp says nothing", severity: "low" } as const;
  test.for<{ what: string; answer: Partial<CompleteReport> }>([
    { what: "without any finding", answer: { findings: [] } },
    { what: "with an unmet requirement", answer: { compliance: { met: [], unmet: ["Logs are kept"] } } },
    { what: "with a demand that no finding covers", answer: { demand: "Add the rate limit to the login route." } },
    {
      what: "whose summary asks for what no finding covers",
      answer: { summary: "Good work. The rate limit must be added to the login route before this is merged." },
    },
  ])("threshold high: a rejection $what still blocks", ({ answer }) => {
    const policy = pullRequestWith({ maxIterations: 3, severityThreshold: "high" });
    const play = new Play(policy).build().review(report({ claim: "fail", findings: [finding(NIT)], ...answer }));
    expect(play.where).toBe("fixing");
  });

  test("a demand that is what the findings say passes with them", () => {
    const policy = pullRequestWith({ maxIterations: 3, severityThreshold: "high" });
    const summary = "Reads well. The unclear name tmp should be changed.";
    const play = new Play(policy).build().review(report({ claim: "fail", findings: [finding(NIT)], summary }));
    expect(play.where).toBe("opening-pr");
  });
});

describe("elsewhere a rejection stays one", () => {
  const table = (["gate", "scored", "adversarial", "advisory"] as const).flatMap((policy) =>
    CLAIMS.map((claim) => ({ policy, claim })),
  );
  test.for(table)("$policy, $claim with a remark that does not block", ({ policy, claim }) => {
    const severity = "info";
    const blocks = claim === "fail" || policy === "advisory";
    const { verdict } = new Play(POLICIES[policy]).build().review(reportWith(claim, severity)).state;
    expect(verdict?.verdict.result).toBe(blocks ? "fail" : "pass");
  });
});
