import type { Change, LookAnswer, ReviewAnswer, Reviewer } from "@anneal/adapters";
import { mergeReviewers, type ReviewedBy, totalUsage } from "@anneal/core/review";
import type { Usage } from "@anneal/types";
import { errorMessage } from "@anneal/types/unknown";
import { AgentFailed, UsageError } from "../../errors/errors.ts";
import { isLasting } from "../../loop/lasting.ts";
import { withSnippets } from "../snippets.ts";
import { type Watched, watched } from "../watched.ts";

export interface EnsembleOptions {
  /** How many members have to come to a report; all of them by default. */
  quorum?: number | undefined;
}

/** Several reviewers of the same change, at the same time: what any of them finds counts, and one rejection rejects. */
export function ensembleReviewer(reviewers: readonly Reviewer[], { quorum }: EnsembleOptions = {}): Reviewer {
  const needed = quorum ?? reviewers.length;
  if (reviewers.length === 0) throw new UsageError("name at least one reviewer");
  if (needed < 1 || needed > reviewers.length)
    throw new UsageError(`a quorum of ${needed} cannot be reached by ${reviewers.length} reviewers`);
  const names = namesOf(reviewers);
  const questionAgent = reviewers.find((one) => one.questionAgent !== undefined)?.questionAgent;
  const providers = reviewers.flatMap(({ provider }) => provider ?? []);
  return {
    name: names.join("+"),
    requirements: reviewers.some(({ requirements }) => requirements === "judged") ? "judged" : "not-judged",
    ...(questionAgent === undefined ? {} : { questionAgent }),
    ...(providers.length === reviewers.length ? { provider: [...new Set(providers)].join("+") } : {}),
    async review(change, signal, onProgress): Promise<ReviewAnswer> {
      const seen = watched(change);
      await lookedAt(seen);
      const turns = await Promise.all(
        reviewers.map((reviewer, index) =>
          turnOf(reviewer, names[index] ?? reviewer.name, { seen, signal, onProgress }),
        ),
      );
      signal.throwIfAborted();
      return concluded(turns, needed);
    },
  };
}

interface Turn {
  name: string;
  /** Without what tells it from another of its name. */
  agent: string;
  usage: Usage;
  answer?: ReviewAnswer;
  /** Why it returned no report. */
  broke?: { reason: string; lasting: boolean; tampered: boolean };
  done?: ReviewedBy;
}

interface Scene {
  seen: Watched;
  signal: AbortSignal;
  onProgress: ((message: string) => void) | undefined;
}

async function turnOf(reviewer: Reviewer, name: string, { seen, signal, onProgress }: Scene): Promise<Turn> {
  const { name: agent } = reviewer;
  try {
    const answer = await reviewer.review(seen, signal, onProgress && ((message) => onProgress(`${name}: ${message}`)));
    const { report, usage, coverage } = answer;
    if (report.status === "inconclusive") {
      const broke = { reason: report.reason, lasting: answer.lasting === true, tampered: answer.tampered === true };
      return { name, agent, usage, answer, broke };
    }
    const findings = await withSnippets(report.findings, seen);
    const done = { name, requirements: reviewer.requirements, report: { ...report, findings }, coverage };
    return { name, agent, usage, answer, done };
  } catch (error) {
    const reason = errorMessage(error);
    const usage = error instanceof AgentFailed ? error.usage : {};
    return { name, agent, usage, broke: { reason, lasting: isLasting(error), tampered: false } };
  }
}

function concluded(turns: readonly Turn[], needed: number): ReviewAnswer {
  const done = turns.flatMap((turn) => turn.done ?? []);
  const broken = turns.flatMap(({ name, broke }) => (broke === undefined ? [] : [{ name, ...broke }]));
  const tampered = broken.find((one) => one.tampered);
  const { report, coverage, found } = mergeReviewers(done);
  const notes = broken.map(({ name, reason }) => `${name} returned no report: ${reason}`);
  const failed = tampered !== undefined || done.length < needed;
  // Those whose failure may pass could still make up the number.
  const lasting =
    failed && tampered === undefined && done.length + broken.filter((one) => !one.lasting).length < needed;
  return {
    report: failed
      ? { status: "inconclusive", reason: reasonOf(broken, done.length, needed) }
      : { ...report, notes: [...report.notes, ...notes] },
    coverage,
    usage: totalUsage(turns.map(({ usage }) => usage)),
    ...wordsOf(turns),
    ...modelAndPrompt(turns),
    ...(failed ? {} : { looks: looksOf(turns, found) }),
    ...(tampered === undefined ? {} : { tampered: true as const }),
    ...(lasting ? { lasting: true as const } : {}),
  };
}

/** Each report, also one without findings; a review without a report is no look. */
function looksOf(turns: readonly Turn[], found: readonly LookAnswer["findings"][]): LookAnswer[] {
  const done = turns.flatMap(({ agent, answer, done: one }) => (one && answer ? [{ agent, answer, done: one }] : []));
  return done.map(({ agent, answer: { model, prompt, usage }, done: { name, report, coverage } }, index) => ({
    agent,
    as: name,
    claim: report.claim,
    coverage,
    usage,
    ...(model === undefined ? {} : { model }),
    ...(prompt === undefined ? {} : { prompt }),
    findings: found[index] ?? [],
  }));
}

/** What those said who did not approve: the others were read by themselves. */
function wordsOf(turns: readonly Turn[]): Pick<ReviewAnswer, "words"> {
  const words = turns.flatMap(({ name, answer, done }) =>
    done?.report.signedOff === false && answer?.words !== undefined ? [`===== ${name} =====\n\n${answer.words}`] : [],
  );
  return words.length === 0 ? {} : { words: words.join("\n\n") };
}

function reasonOf(broken: readonly { name: string; reason: string }[], done: number, needed: number): string {
  const which = broken.map(({ name, reason }) => `${name}: ${reason}`).join("; ");
  return done < needed && needed < done + broken.length
    ? `${done} of ${needed} reviewers returned a report; ${which}`
    : which;
}

function modelAndPrompt(turns: readonly Turn[]): Pick<ReviewAnswer, "model" | "prompt"> {
  const models = turns.flatMap(({ answer }) => answer?.model ?? []);
  const prompts = turns.flatMap(({ name, answer }) =>
    answer?.prompt === undefined ? [] : [`===== to ${name} =====\n\n${answer.prompt}`],
  );
  return {
    ...(models.length === 0 ? {} : { model: [...new Set(models)].join("+") }),
    ...(prompts.length === 0 ? {} : { prompt: prompts.join("\n\n") }),
  };
}

/** Two of one name get different names, or nobody could say who saw what. */
function namesOf(reviewers: readonly Reviewer[]): string[] {
  const used = new Map<string, number>();
  return reviewers.map(({ name }) => {
    const number = (used.get(name) ?? 0) + 1;
    used.set(name, number);
    return number === 1 ? name : `${name}-${number}`;
  });
}

/** The code at each finding is looked up by the files that passed by. */
async function lookedAt(change: Change): Promise<void> {
  for await (const _ of change.files());
}
