import type { Agent, AgentRun, Clock } from "@anneal/adapters";
import type { FeatureStore } from "@anneal/adapters/features";
import { watchedReading } from "@anneal/adapters/reviewers/tamper-guard";
import { draftedReplySchema, readDraftedReply } from "@anneal/core/pull-request";
import { promptBytes } from "@anneal/core/review";
import { pullRequestOf } from "@anneal/core/show";
import { GitError, type Repo } from "@anneal/git";
import type { WorkItemText } from "@anneal/prompts";
import type { ApiPullRequest } from "@anneal/types";
import { limitedAgent, NOBODY } from "../assemble.ts";
import { refuseForeignNames } from "../cast/foreign-names.ts";
import { resolveModelString } from "../cast/model-provider.ts";
import { agentNamed, parseName } from "../cast/named.ts";
import { agentsAmong } from "../cast/reviewers.ts";
import { agentTermsOf } from "../cast/settings.ts";
import { UsageError } from "../errors/errors.ts";
import type { LoopHistory } from "../history/loop-history.ts";
import type { ProjectStore } from "../history/store-log.ts";
import { castOfSettings } from "../items/cast.ts";
import { settingsFor } from "../items/prepare.ts";
import { titleOf } from "../kinds/feature/features.ts";
import type { SecretMask } from "../log/secret-mask.ts";
import { dayBudget, dayCapsOf } from "../loop/day-budget.ts";
import { workMeter } from "../loop/work-meter.ts";
import { refuseDamaged } from "../repository/settings-damage.ts";
import { judgingSettings } from "../review/judging-settings.ts";
import { temporaryCopies } from "../review/review-copies.ts";
import { draftPrompt } from "./draft-prompt.ts";

/** The project of a pull request on which somebody asked something. */
export interface AskedProject {
  repo: Repo;
  store: ProjectStore;
  features: Pick<FeatureStore, "get">;
  clock: Clock;
  /** Takes out what nobody may read. */
  mask: Pick<SecretMask, "text">;
}

/** No reply could be drafted, and why; nothing has changed. */
export class DraftRefused extends Error {
  override readonly name = "DraftRefused";
  /** What kind of refusal it is, in the words of the server's errors. */
  readonly code: "not-found" | "conflict" | "unavailable";

  constructor(code: DraftRefused["code"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Somebody sits and waits for it. */
const LONGEST_MS = 5 * 60_000;

/**
 * Has the loop's reviewer draft the reply to a question on its pull request. It reads the head in a tree of its own, as
 * reviewers do, and what it says goes to whoever asked and nowhere else.
 */
export async function draftedReply(
  project: AskedProject,
  history: LoopHistory,
  sourceId: number,
  signal: AbortSignal,
): Promise<string> {
  const clean = project.mask.text;
  try {
    const question = questionIn(history, sourceId);
    const drafter = await drafterOf(project, history);
    return clean(await drafted({ ...project, ...drafter, history, question }, signal));
  } catch (error) {
    if (error instanceof DraftRefused) throw new DraftRefused(error.code, clean(error.message));
    if (error instanceof UsageError) throw new DraftRefused("conflict", clean(error.message), { cause: error });
    if (error instanceof GitError) throw new DraftRefused("unavailable", clean(error.message), { cause: error });
    throw error;
  }
}

type Question = ApiPullRequest["questions"][number];

function questionIn({ policy, state, events, row }: LoopHistory, sourceId: number): Question {
  const logged = events.map(({ event }) => event);
  const question = pullRequestOf(policy, state, logged)?.questions.find((one) => one.sourceId === sourceId);
  if (question !== undefined) return question;
  throw new DraftRefused("not-found", `there is no question ${sourceId} on the pull request of ${row.loop}`);
}

interface Drafter {
  agent: Agent;
  model: string | undefined;
  workItem: WorkItemText;
  /** How many bytes its prompt may have. */
  budget: number;
}

/** The first agent among the reviewers of the loop, under what the settings say by now. */
async function drafterOf(project: AskedProject, history: LoopHistory): Promise<Drafter> {
  const { repo, features } = project;
  const { started, policy, state, row } = history;
  const { base, head } = state;
  const loaded = await judgingSettings(repo, head === null ? undefined : { base, head, called: "change" });
  refuseDamaged(loaded, repo.root);
  const agents = agentTermsOf(loaded);
  refuseForeignNames(loaded, { besides: { ...REVIEWER_ONLY, ...started.agents }, policy: null });
  const { reviewer: named = "builtin" } = { ...castOfSettings(loaded, repo.root), ...started.agents };
  const [first] = agentsAmong(named.replaceAll("{id}", started.item.id), agents);
  if (first === undefined)
    throw new UsageError(`the reviewer ${named} of ${row.loop} is not an agent and cannot draft replies`);
  const spent = dayBudget({
    usedSince: (ms) => project.store.usedSince(ms),
    workedSince: workMeter(project.store),
    clock: project.clock,
    caps: dayCapsOf(loaded),
  })("reviewing");
  if (spent !== null) throw new UsageError(spent);
  const stored = started.item.kind === "feature" ? await features.get(started.item.id) : null;
  const feature = stored !== null && "feature" in stored ? stored.feature : null;
  const { defaultModel, providers } = settingsFor(loaded);
  const itemModel = resolveModelString(feature?.model, defaultModel);
  const made = await agentNamed(first, "analyst", agents, itemModel);
  const model = policy.reviewer.model ?? itemModel;
  return {
    agent: await limitedAgent(made, providers === undefined ? {} : { providers }),
    model,
    workItem: {
      title: feature === null ? row.summary.title : titleOf(feature),
      description: feature?.description ?? "",
    },
    budget: promptBytes([parseName(first).argument, model, made.name], agents.contexts),
  };
}

/** Nobody implements or fixes here. */
const REVIEWER_ONLY = { implementer: NOBODY, fixer: NOBODY };

type Drafting = AskedProject & Drafter & { history: LoopHistory; question: Question };

async function drafted(args: Drafting, signal: AbortSignal): Promise<string> {
  const { repo, agent, model, question, history } = args;
  const { policy, state } = history;
  const { base, head } = state;
  if (head === null) throw new DraftRefused("conflict", `${history.row.loop} has no commit yet`);
  const timeoutMs = Math.min(policy.reviewer.timeoutMs, LONGEST_MS);
  // The limit of a run does not hold for its wait for a slot at the provider.
  const deadline = AbortSignal.timeout(timeoutMs);
  const { name } = agent;
  const reader = { name, head };
  const { settled, tampered } = await watchedReading(temporaryCopies(repo), reader, async (tree) => {
    const request = {
      role: "analyst" as const,
      prompt: draftPrompt({ ...args, base, head, patch: await tree.patch({ base, head }) }),
      cwd: tree.root,
      schema: draftedReplySchema,
      limits: { timeoutMs },
      ...(model === undefined ? {} : { model }),
    };
    return await agent.run(request, AbortSignal.any([signal, deadline]));
  });
  if (signal.aborted) throw new DraftRefused("unavailable", "the draft was cancelled");
  if (tampered !== null) throw new DraftRefused("unavailable", `the draft was discarded: ${tampered}`);
  if ("error" in settled) throw settled.error;
  return replyIn(settled.answer, { name, sourceId: question.sourceId, late: deadline.aborted });
}

function replyIn(run: AgentRun, { name, sourceId, late }: { name: string; sourceId: number; late: boolean }): string {
  if (run.status !== "finished") {
    const why = late || run.status === "timed-out" ? "it took too long" : (run.error ?? `it ${run.status}`);
    throw new DraftRefused("unavailable", `${name} drafted no reply: ${why}`);
  }
  const read = readDraftedReply({ ...run, finished: true }, sourceId);
  if ("draft" in read) return read.draft;
  throw new DraftRefused("unavailable", `${name} drafted no usable reply: ${read.unreadable}`);
}
