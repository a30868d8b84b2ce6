import { epicBranch, problemText, ticketBranch, ticketMergeMessage } from "@anneal/core/epics";
import type { Repo } from "@anneal/git";
import { failpoint } from "@anneal/system/failpoint";
import type { LoopState } from "@anneal/types";
import { refuseCommands } from "../../consent/consent.ts";
import { settingsCommands } from "../../consent/programs-here.ts";
import { UsageError } from "../../errors/errors.ts";
import { keyOf } from "../../history/item-key.ts";
import { checkedBy, checksFor } from "../../items/bound-checks.ts";
import type { ItemKind, PrepareRequest, ScheduledItem } from "../../items/kind.ts";
import { policyOf } from "../../items/policy-of.ts";
import { type LoopTerms, makeReady, type ProjectParts, settingsFor } from "../../items/prepare.ts";
import type { StageWork } from "../../loop/driver.ts";
import { judgingSettings } from "../../review/judging-settings.ts";
import { type MadeMerge, mergeInto } from "../../work/merge-work.ts";
import { projectChecks } from "../../work/project-checks.ts";
import { commitOf } from "./commit-of.ts";
import { epicIdOf, isRunnable, type ReadableEpic } from "./epic-index.ts";
import type { EpicAccount } from "./log.ts";
import { epicBranchStart, lostLine, lostText } from "./lost-merges.ts";
import { takenOnTrust } from "./on-trust.ts";
import { type EpicFacts, projectEpic } from "./projector.ts";
import { refuseUnusable } from "./recorded.ts";

const CHOICE = { name: "scored", because: "the default for epics" };
/** After the tickets. */
const PRIORITY = 3;

/** Epics: once all their tickets are settled, the completed ones are merged into the epic branch, one after another. */
export function epicKind(parts: ProjectParts, facts: EpicFacts): ItemKind {
  const { repo: main, clock } = parts;
  const { book, log, lostIn } = facts;
  const accountOf = async (found: ReadableEpic) => log.account(found, await lostIn(found.epic.id));
  return {
    async entries(): Promise<ScheduledItem[]> {
      const entries = (await book.all()).map(async (found): Promise<ScheduledItem> => {
        if (isRunnable(found)) return entryOf(found.epic.id, await accountOf(found));
        const damage = found.problems.map(problemText).join("; ");
        return { id: epicIdOf(found.file), dependsOn: [], priority: PRIORITY, readiness: "damaged", damage };
      });
      return await Promise.all(entries);
    },

    async prepare(id, request) {
      const { root } = main;
      const found = await book.runnable(id);
      const loaded = await judgingSettings(main);
      const started = "started" in request.before ? request.before.started : undefined;
      const { policy, because } = started ?? (await policyOf(CHOICE, loaded.settings, root));
      const branch = epicBranch(id);
      const bound = { because, agents: {}, promptsHash: "", needsApproval: false, steps: [], into: branch, head: null };
      const checks = checksFor(request.before, settingsFor(loaded));
      const settings = checkedBy(checks, settingsFor(loaded));
      const begins = await toBegin(found, request);
      await refuseCommands(main, settingsCommands(loaded, settings), [begins.base]);
      const merging: StageWork["merging"] = async (state, signal, turn) => {
        await refuseLost(found);
        await makeBranch(id, state.base);
        const message = () => ticketMergeMessage(id, state.merges?.[0]?.id ?? id);
        const looked = (made: MadeMerge) => validate(made, { signal, state, settings });
        const advice = () => adviceOn(main, { id, branch }, state);
        const next = `anneal epic resume ${id}`;
        const work = mergeInto({ main, into: branch, message, advice, next, validate: looked, clock });
        return await work(state, signal, turn);
      };
      return {
        title: found.epic.title,
        branch,
        policy,
        bound: { ...bound, checks, ...begins },
        work: mergingOnly(merging),
      };
    },

    project: ({ id }) => projectEpic(facts, id),
  };

  async function toBegin(found: ReadableEpic, { before }: PrepareRequest) {
    if ("started" in before) return { base: before.started.base, merges: before.started.merges };
    await refuseUnusable(main, log, found);
    const { progress, open, unmerged, lost, isAsked } = await accountOf(found);
    const [first] = open;
    if (first !== undefined) {
      throw new UsageError(`epic ${found.epic.id} cannot be merged yet: ticket ${first} is still open`);
    }
    if (unmerged.length === 0) throw new UsageError(`nothing left to merge in epic ${found.epic.id}`);
    const key = keyOf({ kind: "epic", id: found.epic.id });
    if (lost.length > 0 && !isAsked)
      parts.tell?.(key, `${lostText(lost, epicBranch(found.epic.id))}; the epic merges what is missing`);
    const trust = takenOnTrust(parts, key, progress);
    return { base: progress.baselineCommit, merges: unmerged, ...trust };
  }

  /**
   * A loop that counts on merges which are gone would merge the rest before them: a new one merges all, in order. Where a person is
   * asked about them, a further merge would look like the answer.
   */
  async function refuseLost(found: ReadableEpic): Promise<void> {
    const account = await accountOf(found);
    if (account.lost.length > 0) throw new UsageError(lostLine(found.epic.id, { ...account, waits: true }));
  }

  async function makeBranch(id: string, base: string): Promise<void> {
    const branch = epicBranch(id);
    if ((await commitOf(main, `refs/heads/${branch}`)) !== null) return;
    await main.updateBranch({ branch, from: null, to: await epicBranchStart(main, log, id, base) });
  }

  /** What the project's own test command says about the merged tree, apart from what was red before. */
  async function validate(
    { commit, before }: MadeMerge,
    { signal, state, settings }: { signal: AbortSignal; state: LoopState; settings: LoopTerms["settings"] },
  ) {
    return await parts.trees.lend(commit, async (tree) => {
      failpoint("epic.validate-merge.before");
      await makeReady(tree, settings.worktree ?? {}, { main, signal });
      const checked = await projectChecks(tree, settings, { main, workspaces: parts.workspaces, base: before })(
        signal,
        state,
      );
      failpoint("epic.validate-merge.after");
      return checked;
    });
  }
}

function entryOf(id: string, { open, unmerged }: EpicAccount): ScheduledItem {
  const dependsOn = open.map((ticket) => keyOf({ kind: "ticket", id: `${id}/${ticket}` }));
  return { id, dependsOn, priority: PRIORITY, readiness: open.length + unmerged.length === 0 ? "done" : "backlog" };
}

/** How a person resolves a conflict. A branch that has moved away from what was reviewed is not what is to be merged. */
async function adviceOn(
  main: Repo,
  { id, branch }: { id: string; branch: string },
  { head, merges }: Pick<LoopState, "head" | "merges">,
): Promise<string> {
  const ticket = merges?.[0]?.id ?? id;
  const own = ticketBranch(ticket);
  const what = (await commitOf(main, `refs/heads/${own}`)) === head ? own : (head ?? own);
  const commands = `git switch ${branch}; git merge ${what}; resolve and commit it; if the branch already has its work, git merge -s ours ${what}`;
  return `in the merge of ${ticket}: merge ${what} into ${branch} by hand (${commands}), then anneal epic resume ${id}`;
}

/** A loop that begins with its merge has nothing else to do. */
function mergingOnly(merging: StageWork["merging"]): StageWork {
  const never = async (): Promise<never> => {
    throw new Error("the loop of an epic only merges");
  };
  return {
    implementing: never,
    validating: never,
    committing: never,
    reviewing: never,
    fixing: never,
    "opening-pr": never,
    merging,
  };
}
