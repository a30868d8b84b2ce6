import type { Agent, Change, ReviewAnswer, Reviewer } from "@anneal/adapters";
import type { TamperGuard } from "@anneal/adapters/reviewers/tamper-guard";
import {
  isVerifiable,
  readVerification,
  totalUsage,
  type VerificationRuling,
  verificationSchema,
  withVerification,
} from "@anneal/core/review";
import { asOneText, verificationPrompt, type WorkItemText, withFreshNonce } from "@anneal/prompts";
import type { CompleteReport, Finding, Policy, Usage } from "@anneal/types";
import { newNonce } from "../nonce.ts";
import { type Watched, watched } from "../watched.ts";
import { codeAround, textOf } from "./finding-code.ts";
import { mapConcurrently } from "./map-concurrently.ts";

export interface VerifiedOptions {
  /** Who has to confirm what would block. */
  agent: Agent;
  policy: Policy;
  room: TamperGuard;
  workItem: WorkItemText;
  turn?: number;
}

const FINDINGS_PER_CALL = 20;
const CALLS_AT_ONCE = 2;

/** A reviewer whose blocking findings a second agent has to confirm. What it does not confirm is kept, and blocks no more. */
export function verifiedReviewer(reviewer: Reviewer, options: VerifiedOptions): Reviewer {
  return {
    ...reviewer,
    async review(change, signal, onProgress): Promise<ReviewAnswer> {
      const seen = watched(change);
      const answer = await reviewer.review(seen, signal, onProgress);
      const { report } = answer;
      if (report.status === "inconclusive") return answer;
      const asked = report.findings.filter((finding) => isVerifiable(options.policy.pass, finding));
      if (asked.length === 0) return answer;
      onProgress?.(`${options.agent.name} verifies ${asked.length} findings`);
      const { name } = options.agent;
      const { base, head } = change.bounds;
      const reader = { name: `${name}, which verified the findings,`, head, base };
      return await options.room.read(reader, async ({ root }, shown) => {
        const verified = await verify(asked, seen, { cwd: root, ...(shown ?? change.bounds) }, options, signal);
        return withVerified(answer, report, asked, verified, name);
      });
    },
  };
}

interface Verified {
  /** What became of each finding that was asked about, in order; or why nothing did. */
  findings: Finding[] | { broke: string };
  usage: Usage;
  prompts: string[];
}

async function verify(
  asked: Finding[],
  change: Watched,
  { cwd, base, head }: Pick<Change["bounds"], "base" | "head"> & { cwd: string },
  { agent, policy, workItem, turn }: VerifiedOptions,
  signal: AbortSignal,
): Promise<Verified> {
  const { model, timeoutMs = policy.reviewer.timeoutMs } = policy.reviewer.verification ?? {};
  const placed = await Promise.all(asked.map(async (finding) => ({ finding, text: await textOf(finding, change) })));
  const batches = Array.from({ length: Math.ceil(placed.length / FINDINGS_PER_CALL) }, (_, index) =>
    placed.slice(index * FINDINGS_PER_CALL, (index + 1) * FINDINGS_PER_CALL),
  );
  const calls = await mapConcurrently(
    batches,
    CALLS_AT_ONCE,
    async (batch) => {
      const findings = batch.map(({ finding, text }) => ({ finding, code: codeAround(finding, text) }));
      const prompt = asOneText(
        withFreshNonce(newNonce, (nonce) => verificationPrompt({ nonce, workItem, base, head, findings })),
      );
      const run = await agent.run(
        {
          role: "analyst",
          prompt,
          cwd,
          schema: verificationSchema,
          ...(turn === undefined ? {} : { turn }),
          ...(model === undefined ? {} : { model }),
          limits: { timeoutMs },
        },
        signal,
      );
      const rulings =
        run.status === "finished"
          ? readVerification({ ...run, finished: true }, batch.length)
          : { unreadable: run.error ?? `the agent ${run.status}` };
      return { prompt, usage: run.usage, rulings };
    },
    ({ rulings }) => "unreadable" in rulings,
  );
  signal.throwIfAborted();
  const broken = calls.map(({ rulings }) => rulings).find((rulings) => "unreadable" in rulings);
  const rulings = calls.flatMap((call) => ("unreadable" in call.rulings ? [] : call.rulings));
  return {
    findings: broken === undefined ? ruledOn(placed, rulings, agent.name) : { broke: broken.unreadable },
    usage: totalUsage(calls.map(({ usage }) => usage)),
    prompts: calls.map(({ prompt }) => prompt),
  };
}

function ruledOn(
  placed: readonly { finding: Finding; text: string | null }[],
  rulings: readonly VerificationRuling[],
  by: string,
): Finding[] {
  return placed.map(({ finding, text }, index) => {
    const ruling = rulings[index];
    return ruling === undefined ? finding : withVerification(finding, ruling, by, text);
  });
}

function withVerified(
  answer: ReviewAnswer,
  report: CompleteReport,
  asked: readonly Finding[],
  { findings, usage, prompts }: Verified,
  by: string,
): ReviewAnswer {
  const asking = prompts.map((prompt) => `===== to ${by}, to verify =====\n\n${prompt}`);
  const merged = {
    ...answer,
    usage: totalUsage([answer.usage, usage]),
    prompt: [...(answer.prompt === undefined ? [] : [answer.prompt]), ...asking].join("\n\n"),
  };
  if ("broke" in findings) {
    const note = `${by} could not verify the findings, so all of them count: ${findings.broke}`;
    return { ...merged, report: { ...report, notes: [...report.notes, note] } };
  }
  const became = new Map(asked.map((finding, index) => [finding, findings[index] ?? finding]));
  return {
    ...merged,
    report: {
      ...report,
      findings: report.findings.map((finding) => became.get(finding) ?? finding),
      notes: [...report.notes, noteOn(findings, by)],
    },
  };
}

function noteOn(findings: readonly Finding[], by: string): string {
  const count = (result: string) => findings.filter(({ verification }) => verification?.result === result).length;
  const open = findings.filter(({ verification }) => verification === undefined).length;
  const unproven = open === 0 ? "" : `; ${open} refuted without proof in the code, which still count`;
  return `${by} verified ${findings.length} findings: ${count("confirmed")} confirmed, ${count("refuted")} refuted, ${count("unconfirmed")} not confirmed${unproven}.`;
}
