import type { FeatureEntry, FeatureStore } from "@anneal/adapters/features";
import { type FixAccount, roundsDone } from "@anneal/core";
import {
  featureCommitMessage,
  featureStepCommitMessage,
  plainFeatureMessage,
  pullRequestFixCommitMessage,
} from "@anneal/core/write";
import type { Feature, LoopState, Policy } from "@anneal/types";
import { NOBODY } from "../../assemble.ts";
import { stepCommands } from "../../consent/programs.ts";
import { UsageError } from "../../errors/errors.ts";
import { keptRef } from "../../history/item-key.ts";
import { currentLoop, loopsOf } from "../../history/loop-history.ts";
import type { ProjectStore } from "../../history/store-log.ts";
import { isMarkedByHand, isMergedUnreviewed } from "../../items/by-hand.ts";
import { handedOver } from "../../items/handed-over.ts";
import type { ItemKind, PrepareRequest, ScheduledItem } from "../../items/kind.ts";
import { FEATURE_DEFAULT, type PolicyChoice } from "../../items/policy-of.ts";
import { bonds, equip, loopIdOf, type ProjectParts, termsOf } from "../../items/prepare.ts";
import { loopWork } from "../../work/loop-work.ts";
import { outermost } from "../../work/outermost.ts";
import { defaultBranchOf } from "../../workspaces/default-branch.ts";
import { asItStands, branchStart } from "../../workspaces/free-branch.ts";
import { itemWorkspace, takePersonsCommits } from "../../workspaces/item-workspace.ts";
import { landedOn } from "../pull-request/landed.ts";
import { featureChoice, pullRequestDelivery } from "../pull-request/pull-requests.ts";
import { projectSession } from "../pull-request/session.ts";
import { onTrustText, unreviewedTickets } from "../ticket/on-trust.ts";
import { projectFeature } from "./projector.ts";
import { takenBranches } from "./taking-branches.ts";

const DEFAULT_PRIORITY = 2;

/** Features: `.automaker/features/{id}/`, each in a workspace and on a branch of its own. */
export function featureKind(parts: ProjectParts): ItemKind {
  const { repo: main, features, store } = parts;
  return {
    async entries(named, reach): Promise<ScheduledItem[]> {
      if (reach === "all") return (await features.list()).map(scheduled);
      const items = (await features.list(named)).map(scheduled);
      const needed = items.flatMap(({ dependsOn }) => dependsOn).filter((key) => !named.includes(key));
      return [...items, ...(await features.list(needed)).map(scheduled)];
    },

    async prepare(id, request) {
      const feature = await readable(id);
      const item = { kind: "feature", id } as const;
      const { before } = request;
      const choice = await choiceFor(feature, request);
      const branch = featureBranch(feature);
      await takePersonsCommits(parts, { item, branch, before: request.before });
      const { base, head, into } = await startOf(feature, branch, request);
      const steps = await features.pipeline();
      // Nobody has to build what is there.
      const cast = head === null || steps.length > 0 ? {} : { implementer: NOBODY };
      const commands = stepCommands(steps);
      const terms = await termsOf(parts, request, item, { choice, cast, model: feature.model, commands });
      const repo = await itemWorkspace(parts, { item, branch, start: head ?? base, request });
      const title = titleOf(feature);
      const names = { title, branch, baseBranch: into };
      const equipped = await equip(parts, terms, {
        item,
        repo,
        model: feature.model,
        request,
        names,
        bounds: { base, head },
      });
      const named = Object.fromEntries(steps.map((step) => [step.id, step]));
      const earlierRounds =
        "started" in before ? (before.started.earlierRounds ?? 0) : await roundsBefore(parts, feature);
      const needsApproval = feature.skipTests === true;
      return {
        title,
        branch,
        policy: terms.policy,
        bound: {
          ...bonds(terms),
          base,
          head,
          // Other branches may be there by the time that a pull request is opened.
          ...(into === undefined || terms.policy.push !== "with-pr" ? {} : { into }),
          needsApproval,
          steps: steps.map((step) => step.id),
          ...(earlierRounds === 0 ? {} : { earlierRounds }),
          ...(await takenOnTrust(feature, before)),
        },
        work: loopWork({
          ...equipped,
          branch,
          workItem: {
            id,
            title,
            description: feature.description,
            ...(feature.spec === undefined ? {} : { spec: feature.spec }),
          },
          steps: named,
          earlierReviews: await reviewsBefore(id, earlierRounds),
          delivery: pullRequestDelivery(parts, {
            loopId: "started" in before ? before.started.loopId : loopIdOf(item, before.earlierLoops),
            branch,
            ...(into === undefined ? {} : { against: into }),
            policy: terms.policy,
            item: { id, title, description: feature.description },
            ours: loopsOf(store, item).map((_, at) => keptRef(id, at + 1)),
          }),
          commitMessage: (state, fix) => {
            if (state.step !== null) return featureStepCommitMessage(title, named[state.step]?.name ?? state.step);
            return messageOf(terms.policy, title, state, fix);
          },
        }),
      };
    },

    async project(about, state, since) {
      await projectFeature(parts, about, state, since);
      await projectSession(main.root, about, state, since);
    },
  };

  /** What a loop was begun with holds to its end. */
  async function startOf(feature: Feature, branch: string, { before, signal }: PrepareRequest) {
    if ("started" in before) {
      const { base, head, into } = before.started;
      return { base, head, ...(into === undefined ? {} : { into }) };
    }
    const { id, dependencies } = feature;
    const item = { kind: "feature", id } as const;
    const against = await defaultBranchOf(parts);
    const known = { name: against.replace(/^origin\//, ""), commit: await main.resolve(against) };
    const { name: into, commit } = await basedOn({ id, dependencies }, known, signal);
    const taken = branch === into ? `${branch} itself` : (await takenBranches(parts))(branch, id);
    if (taken !== null)
      throw new UsageError(`feature ${id} would commit to ${taken}: give the feature another branchName`);
    const handed = await handedOver(parts, feature, { branch, into, base: commit });
    if (handed !== null && "head" in handed) {
      parts.tell?.(id, `${id} is in code_review, so ${branch} is reviewed as it is, without another implementation`);
      return { ...handed, into };
    }
    const found = await branchStart(parts, { item, branch, base: commit });
    if (found.head !== null) parts.tell?.(id, asItStands(item, branch));
    return { ...found, into };
  }

  /** The default branch, or what took in the work that the feature depends on. */
  async function basedOn(
    { id, dependencies = [] }: Pick<Feature, "id" | "dependencies">,
    base: { name: string; commit: string },
    signal: AbortSignal,
  ) {
    const landed = await landedOn(parts, { keys: dependencies, base, signal });
    const [top, ...rest] = await outermost(
      main,
      [...landed.values()].filter((one) => one !== null),
    );
    if (top === undefined) return base;
    if (rest.length === 0) return { name: top.name, commit: top.tip };
    const names = [top, ...rest].map(({ name }) => name).join(" and ");
    throw new UsageError(`feature ${id} depends on items merged into ${names}: merge these branches into one first`);
  }

  /** Only a loop that begins, and for which nobody names a policy, asks for the forge. */
  async function choiceFor({ policy }: Feature, { before, overrides }: PrepareRequest): Promise<PolicyChoice> {
    if (policy !== undefined) return { name: policy, because: "the feature names it" };
    if ("started" in before || overrides.policy !== undefined) return FEATURE_DEFAULT;
    return await featureChoice(main, parts.clock);
  }

  /** What it builds on that nobody reviewed; a person may mark work as done, and that is reported. */
  async function takenOnTrust({ id, dependencies = [] }: Feature, before: PrepareRequest["before"]) {
    if ("started" in before || dependencies.length === 0) return {};
    const loopOf = (key: string) => currentLoop(store, key) ?? undefined;
    const marked = (await features.list(dependencies)).flatMap((one) =>
      "feature" in one && isMarkedByHand(one.feature, loopOf(one.id)) ? [one.id] : [],
    );
    const merged = dependencies.filter((one) => isMergedUnreviewed(loopOf(one)));
    if (marked.length > 0)
      parts.tell?.(
        id,
        `this work builds on items that were marked as done by hand, without a review: ${marked.join(", ")}`,
      );
    if (merged.length > 0)
      parts.tell?.(id, `this work builds on items that were merged NOT REVIEWED: ${merged.join(", ")}`);
    const tickets = await unreviewedTickets(parts, dependencies);
    if (tickets.length > 0) parts.tell?.(id, onTrustText(tickets));
    const unreviewed = [...dependencies.filter((one) => marked.includes(one) || merged.includes(one)), ...tickets];
    return unreviewed.length === 0 ? {} : { unreviewed };
  }

  async function reviewsBefore(id: string, upTo: number): Promise<{ round: number; text: string }[]> {
    const numbers = (await features.listReviews(id)).filter((number) => number <= upTo);
    const texts = await Promise.all(numbers.map((number) => features.readReview(id, number)));
    return numbers.map((round, at) => ({ round, text: texts[at] ?? "" }));
  }

  async function readable(id: string): Promise<Feature> {
    const stored = await features.get(id);
    if (stored === null) throw new UsageError(`no feature ${id}; list them with anneal status`);
    if ("damaged" in stored) throw new UsageError(`feature ${id} cannot be read: ${stored.damaged}`);
    return stored.feature;
  }
}

/** How many rounds of review it had, whoever made them: by its file, the reviews next to it, and the log. */
export async function roundsBefore(
  { features, store }: { features: Pick<FeatureStore, "listReviews">; store: ProjectStore },
  { id, codeReviewSpec }: Feature,
): Promise<number> {
  const iterations = codeReviewSpec?.iterations ?? [];
  const logged = loopsOf(store, { kind: "feature", id }).map(({ summary }) => summary.review?.currentIteration ?? 0);
  const numbers = iterations.map(({ iterationNumber }) => iterationNumber);
  return Math.max(iterations.length, ...numbers, ...logged, ...(await features.listReviews(id)));
}

/** Seed 000 gives words to the commits that its own reviews are about; those of other policies are plain. */
function messageOf({ reviewer, push }: Policy, title: string, state: LoopState, fix: FixAccount): string {
  const round = roundsDone(state);
  if (reviewer.contract === "decision-text" && push === "never") return featureCommitMessage(title, round + 1, fix);
  if (push === "with-pr" && state.rounds.length > 0) {
    return pullRequestFixCommitMessage(title, { iteration: round, pr: state.pr?.number ?? null }, fix);
  }
  return plainFeatureMessage(title, state.rounds.length === 0 ? 0 : round, fix);
}

export function titleOf(feature: Feature): string {
  return feature.title?.trim() || feature.description.trim().split("\n")[0]?.trim() || feature.id;
}

/** The branch of a feature: its own name for it, else one made of its id. */
export function featureBranch(feature: Pick<Feature, "id" | "branchName">): string {
  return feature.branchName ?? `feature/${feature.id}`;
}

function scheduled(entry: FeatureEntry): ScheduledItem {
  const { id } = entry;
  if (!("feature" in entry))
    return { id, dependsOn: [], priority: DEFAULT_PRIORITY, readiness: "damaged", damage: entry.damaged };
  const { dependencies = [], priority = DEFAULT_PRIORITY, status } = entry.feature;
  return { id, dependsOn: dependencies, priority, readiness: featureScheduling(status) };
}

export function featureScheduling(status: string | undefined): ScheduledItem["readiness"] {
  if (status === "verified" || status === "completed") return "done";
  return status === "backlog" ? "backlog" : "elsewhere";
}
