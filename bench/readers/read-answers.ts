import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { judge, POLICIES, track } from "@anneal/core";
import { read } from "@anneal/core/read";
import type { Contract, TrackedFinding } from "@anneal/types";

/** What the product made of one answer. */
export interface ReadAnswer {
  name: string;
  meant: "pass" | "fail";
  verdict: "pass" | "fail" | "inconclusive";
  reason: string;
}

const ANSWERS = join(import.meta.dirname, "answers");
/** The changes that the answers are about. */
const FILES = ["src/discount.ts", "test/discount.test.ts", "jobs/queue.py", "tests/test_queue.py"];
/** What was open before, in the prompts that ask for rulings. */
const EARLIER = ["3f9c2ad4c5e6f708192a3b4c5d6e7f80", "b71e04d4c5e6f708192a3b4c5d6e7f80"];

export const CONTRACTS = readdirSync(ANSWERS) as Contract[];

/** Reads every committed answer of a contract as a loop does, and judges it under the policy that asks for it. */
export function readAnswers(contract: Contract): ReadAnswer[] {
  const policy = Object.values(POLICIES).find(({ reviewer }) => reviewer.contract === contract);
  if (policy === undefined) throw new Error(`no policy asks for ${contract}`);
  return readdirSync(join(ANSWERS, contract)).map((name) => {
    const text = readFileSync(join(ANSWERS, contract, name), "utf8");
    const meant = name.startsWith("pass-") ? "pass" : "fail";
    // The plain text of codex review, which has a form of its own.
    const signOff = contract === "issue-lines" && !text.includes("{") ? "not-asked" : "required";
    const report = read(contract, { text, finished: true }, { where: { roots: [], files: FILES }, signOff });
    if (report.status === "inconclusive") return { name, meant, verdict: report.status, reason: report.reason };
    const { earlierFindings } = policy.pass;
    const isSecondRound = earlierFindings === "carried" && text.includes(EARLIER[0] ?? "");
    const findings = track(isSecondRound ? EARLIER.map(open) : [], {
      round: 2,
      head: "head",
      report,
      standing: EARLIER,
      regions: [],
      renames: {},
      lastFix: undefined,
      earlierFindings,
    });
    const { result, reason } = judge(policy, { report, requirementsJudged: true, round: 2, findings });
    return { name, meant, verdict: result, reason };
  });
}

function open(fingerprint: string, index: number): TrackedFinding {
  const finding = { category: "logic", severity: "high", title: `Earlier ${index}`, description: "" } as const;
  return {
    fingerprint,
    finding,
    lifecycle: "new",
    origin: { kind: "change" },
    disposition: { kind: "open" },
    firstRound: 1,
    lastRound: 1,
  };
}
