import type { Agent, AgentRun, Capabilities, ReviewAnswer, Reviewer } from "@anneal/adapters";
import type { TamperGuard } from "@anneal/adapters/reviewers/tamper-guard";
import { type ReviewedPaths, read } from "@anneal/core/read";
import { answerSchema, mergeParts, type Patches, promptBytes, totalUsage } from "@anneal/core/review";
import { coverageOf } from "@anneal/core/unseen";
import type { Coverage, Policy, Report } from "@anneal/types";
import { asShown, shownPatch, withKept } from "../diff-text.ts";
import { watched } from "../watched.ts";
import { type Ask, type AskedAgain, withAskedRulings, withRepairedForm } from "./asked-again.ts";
import { mapConcurrently } from "./map-concurrently.ts";
import type { ReviewBrief } from "./review-brief.ts";
import { planCalls, type ReviewCall } from "./review-calls.ts";

export type { ReviewBrief } from "./review-brief.ts";

const CALLS_AT_ONCE = 2;

/**
 * Makes a reviewer of any agent: our prompt, its answer, and our reading of it.
 * A change that is too large for one call takes several. The policy's own model wins over that of the work item.
 */
export function agentReviewer(
  agent: Agent,
  policy: Policy,
  room: TamperGuard,
  { model: itemModel, promptBytes: ownBudget, roots = [], ...brief }: ReviewBrief & AgentReviewerOptions,
): Reviewer {
  const model = policy.reviewer.model ?? itemModel;
  const schema = answerSchema(policy.reviewer.contract);
  const sees = policy.reviewer.sees.includes("work-item") && brief.workItem.asks !== "nothing";
  const judgesThem = policy.pass.requirements === "judged" || sees;
  const requirements = judgesThem ? "judged" : "not-judged";
  const alike = {
    role: "reviewer" as const,
    ...(brief.turn === undefined ? {} : { turn: brief.turn }),
    ...(model === undefined ? {} : { model }),
    limits: { timeoutMs: policy.reviewer.timeoutMs },
  };
  return {
    name: agent.name,
    requirements,
    questionAgent: {
      name: agent.name,
      ask: (question, signal) => room.inEmptyFolder((cwd) => agent.run({ ...alike, ...question, cwd }, signal)),
    },
    async review(given, signal, onProgress): Promise<ReviewAnswer> {
      const change = watched(given);
      const { base, head } = change.bounds;
      const changed = await coverageOf(change.files());
      return await room.read({ ...readerOf(agent), head, base }, async (repo, shown) => {
        const { coverage, kept } = asShown(changed, shown);
        onProgress?.(`${agent.name} reviews ${coverage.reviewed.length} files`);
        // Patches that were made beforehand show what is hidden from a fresh reviewer, and what the last fix did.
        const made: Pick<ReviewBrief, "roundPatch" | "wholePatch"> = shown === undefined ? brief : {};
        const whole = made.wholePatch ?? (await repo.patch(shown ?? change.bounds));
        const patches = patchesOf(policy, made.roundPatch ?? whole, whole, brief.round);
        const budget = ownBudget ?? promptBytes([model, agent.name]);
        const plan = planCalls({ policy, change, brief, patches, coverage, budget });
        if (plan === null) return tooLarge(coverage, budget);
        const { calls, skipped } = plan;
        const where = { roots: [repo.root, ...roots], files: filesOf(coverage) };
        const ask: Ask = async (prompt, again, form = schema) => {
          const request = {
            ...alike,
            prompt,
            cwd: repo.root,
            ...(form === undefined ? {} : { schema: form }),
            ...(again === undefined ? {} : { again }),
          };
          const run = await agent.run(request, signal);
          // What is asked once more is asked after an answer: nobody is left to read it.
          if (again !== undefined) signal.throwIfAborted();
          return run;
        };
        const terms = { policy, brief, ask };
        const readIt = (run: AgentRun) =>
          namedInFull(readRun(policy, run, brief.workItem, where), brief.earlierFindings);
        const runs = await mapConcurrently(
          calls,
          CALLS_AT_ONCE,
          async ({ prompt, files }, index) => {
            if (calls.length > 1) onProgress?.(`part ${index + 1} of ${calls.length}: ${files.length} files`);
            const run = await ask(prompt, undefined);
            return { run, ...(await withRepairedForm(terms, { prompt, run, report: readIt(run) }, readIt)) };
          },
          ({ report }) => report.status === "inconclusive",
        );
        const all = wholeReport(
          calls,
          runs.map(({ report }) => report),
          brief,
        );
        const asked =
          all.status === "complete" ? await withAskedRulings(terms, all, change, requirements) : { report: all };
        const again = [...runs.map((one) => one.again), asked.again].filter((one) => one !== undefined);
        const answers = [...runs.map(({ run }) => run), ...again.map(({ run }) => run)];
        const played = [...new Set(answers.map((run) => run.model))].filter((one) => one !== undefined);
        const lasting = runs.some(({ run }) => run.lasting === true);
        return {
          report: asked.report,
          words: answers.map(wordsIn).join("\n\n"),
          coverage: withKept(covered(coverage, calls, runs, skipped), kept),
          usage: totalUsage(answers.map(({ usage }) => usage)),
          prompt: [joined(calls.filter((_, index) => runs[index] !== undefined)), ...again.map(askedAgain)].join(
            "\n\n",
          ),
          ...(played.length === 0 ? {} : { model: played.join("+") }),
          ...(lasting ? { lasting: true as const } : {}),
        };
      });
    },
  };
}

export interface AgentReviewerOptions {
  model?: string | undefined;
  /** How large a prompt may be; what is known of the model by default. */
  promptBytes?: number;
  /** Other folders that hold the same repository, such as the user's own. */
  roots?: readonly string[];
}

function readerOf({ name, capabilities: { readOnly } }: Agent): Pick<Agent, "name"> & Pick<Capabilities, "readOnly"> {
  return { name, readOnly };
}

/** What the policy shows, and what one patch shows is not shown a second time. */
function patchesOf({ reviewer }: Policy, round: string, whole: string, number: number): Patches {
  const sees = (part: "round-diff" | "whole-diff") => reviewer.sees.includes(part);
  const adds = !sees("round-diff") || (number > 1 && round !== whole);
  return {
    ...(sees("round-diff") ? { round: shownPatch(round) } : {}),
    ...(sees("whole-diff") && adds ? { whole: shownPatch(whole) } : {}),
  };
}

function wholeReport(
  calls: readonly ReviewCall[],
  reports: readonly Report[],
  { earlierFindings }: ReviewBrief,
): Report {
  const [only] = reports;
  if (calls.length === 1 && only !== undefined) return only;
  const broken = reports.findIndex((report) => report?.status === "inconclusive");
  const upTo = broken < 0 ? reports.length : broken + 1;
  const parts = calls.slice(0, upTo).flatMap(({ files }, index) => {
    const report = reports[index] ?? { status: "inconclusive" as const, reason: "it did not run" };
    return [{ report, files }];
  });
  return mergeParts(parts, calls.length, earlierFindings);
}

/** A file counts as reviewed where every call that shows some of it returned a report. */
function covered(
  { reviewed, skipped }: Coverage,
  calls: readonly ReviewCall[],
  runs: readonly { report: Report }[],
  notShown: Coverage["skipped"],
): Coverage {
  if (calls.length === 1 && notShown.length === 0) return { reviewed, skipped };
  const missed = new Map(notShown.map(({ file, reason }) => [file, reason]));
  for (const [index, { files }] of calls.entries()) {
    if (runs[index]?.report.status === "complete") continue;
    for (const file of files) missed.set(file, `part ${index + 1} of ${calls.length} returned no report`);
  }
  return {
    reviewed: reviewed.filter((file) => !missed.has(file)),
    skipped: [...skipped, ...[...missed].map(([file, reason]) => ({ file, reason }))],
  };
}

function wordsIn({ text, structured }: AgentRun): string {
  return structured === undefined ? text : `${text}\n${JSON.stringify(structured, null, 2)}`;
}

function joined(calls: readonly ReviewCall[]): string {
  const [only, ...rest] = calls;
  if (only === undefined || rest.length === 0) return only?.prompt ?? "";
  return calls.map(({ prompt }, index) => `===== call ${index + 1} of ${calls.length} =====\n\n${prompt}`).join("\n\n");
}

function askedAgain({ about, prompt }: AskedAgain): string {
  return `===== asked again, about ${about} =====\n\n${prompt}`;
}

/** Only an answer whose agent finished by itself is read at all. */
function readRun({ reviewer }: Policy, run: AgentRun, item: ReviewBrief["workItem"], where: ReviewedPaths): Report {
  if (run.status !== "finished") return { status: "inconclusive", reason: run.error ?? `the agent ${run.status}` };
  const { text, structured } = run;
  const asked = item.id === undefined ? {} : { subject: item.id };
  const requirements = reviewer.sees.includes("work-item") ? (item.requirements ?? 0) : 0;
  const answer = { text, finished: true, ...asked, ...(structured === undefined ? {} : { structured }) };
  return read(reviewer.contract, answer, { where, requirements });
}

/** Rulings may name a finding as our screens do, by the beginning of its fingerprint. */
function namedInFull(report: Report, known: ReviewBrief["earlierFindings"]): Report {
  if (report.status === "inconclusive") return report;
  const rulings = report.rulings.map((ruling) => {
    const [meant, ...more] = known.filter(({ fingerprint }) => fingerprint.startsWith(ruling.fingerprint));
    const isOne = meant !== undefined && more.length === 0 && ruling.fingerprint.length >= SHORTEST_NAME;
    return isOne ? { ...ruling, fingerprint: meant.fingerprint } : ruling;
  });
  return { ...report, rulings };
}

const SHORTEST_NAME = 8;

function filesOf({ reviewed, skipped }: Coverage): string[] {
  return [...reviewed, ...skipped.map(({ file }) => file)];
}

function tooLarge(coverage: Coverage, budget: number): ReviewAnswer {
  const reason = `the prompt without the change already fills the limit of ${budget} bytes`;
  const missed = coverage.reviewed.map((file) => ({ file, reason: "no room in the prompt" }));
  return {
    report: { status: "inconclusive", reason },
    coverage: { reviewed: [], skipped: [...coverage.skipped, ...missed] },
    usage: {},
    lasting: true,
  };
}
