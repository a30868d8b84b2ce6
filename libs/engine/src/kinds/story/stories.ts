import type { StoryFile } from "@anneal/adapters/stories";
import type { FixAccount } from "@anneal/core";
import { isStoryDone, storyBranch, storyCommitMessage } from "@anneal/core/stories";
import type { Repo } from "@anneal/git";
import type { CommitPlan, LoopState } from "@anneal/types";
import { NOBODY } from "../../assemble.ts";
import { keyOf } from "../../history/item-key.ts";
import type { ItemKind, ScheduledItem } from "../../items/kind.ts";
import { bonds, equip, loopIdOf, type ProjectParts, published, termsOf } from "../../items/prepare.ts";
import { masked } from "../../review/secrets/masked.ts";
import { type Delivery, type LoopWorkArgs, loopWork } from "../../work/loop-work.ts";
import { itemWorkspace, takePersonsCommits } from "../../workspaces/item-workspace.ts";
import { storyDelivery } from "../pull-request/stories.ts";
import { type StoryBounds, storyBounds } from "./branch.ts";
import { builtAlready } from "./built.ts";
import { documentsHidden, documentsOf, replaceFindings, withoutDocuments, withoutFindings } from "./findings.ts";
import { knownStories, knownStory } from "./known.ts";
import { projectStory } from "./projector.ts";

const CHOICE = { name: "adversarial", because: "the default for stories" };
const DEFAULT_PRIORITY = 2;

/**
 * Stories: markdown files anywhere in the repository, each on a branch of its own. A loop works in a workspace and publishes
 * each commit, so that a person may have the branch checked out meanwhile.
 */
export function storyKind(parts: ProjectParts): ItemKind {
  const { repo: main, store } = parts;
  return {
    async entries(): Promise<ScheduledItem[]> {
      return (await knownStories(main.root)).map(({ id, story, damaged }) => {
        const dependsOn = story?.story.dependsOn.map((needed) => keyOf({ kind: "story", id: needed })) ?? [];
        const readiness = readinessOf(store, story);
        return {
          id,
          dependsOn,
          priority: DEFAULT_PRIORITY,
          readiness,
          ...(damaged === null ? {} : { damage: damaged }),
        };
      });
    },

    async prepare(id, request) {
      const item = { kind: "story", id } as const;
      const file = await knownStory(main.root, id);
      const atReview = file.story.status === "review" ? { implementer: NOBODY } : {};
      const terms = await termsOf(parts, request, item, { choice: CHOICE, cast: atReview });
      await takePersonsCommits(parts, { item, branch: storyBranch(file.story), before: request.before });
      const { bounds, counted } = await storyBounds(parts, file, { ...request, limits: terms.policy.limits });
      const { branch, base, head, into } = bounds;
      const startPoint = head ?? base;
      const worktree = await itemWorkspace(parts, { item, branch, start: startPoint, request });
      const repo = withoutFindings(worktree, id, base);
      const { title } = file.story;
      const trees = withoutDocuments(parts.trees, id);
      const names = { title, branch, baseBranch: into, hidden: documentsHidden(id) };
      const equipped = await equip({ ...parts, trees }, terms, { item, repo, request, names, bounds });
      const documents = "due" as const;
      const bound = {
        ...bonds(terms),
        base,
        head,
        into,
        needsApproval: false,
        steps: [],
        documents,
        asks: file.asks,
        ...counted,
      };
      const delivery = storyDelivery(parts, {
        loopId:
          "started" in request.before ? request.before.started.loopId : loopIdOf(item, request.before.earlierLoops),
        branch,
        into,
        policy: terms.policy,
        item: { id, title, description: file.text.trim() },
      });
      const work = loopWork({ ...equipped, ...storyWork({ ...parts, repo, file, bounds, equipped, delivery }) });
      return { title, branch, policy: terms.policy, bound, work };
    },

    project: (about, state, since) => projectStory(parts, about, state, since),
  };
}

function readinessOf(store: ProjectParts["store"], file: StoryFile | null): ScheduledItem["readiness"] {
  if (file === null) return "damaged";
  return isStoryDone(file.story.status) || builtAlready(store, file) !== null ? "done" : "backlog";
}

interface StoryWorkArgs extends Pick<ProjectParts, "store" | "workspaces"> {
  /** The workspace. */
  repo: Repo;
  file: StoryFile;
  bounds: StoryBounds;
  equipped: Pick<LoopWorkArgs, "extras" | "clock">;
  delivery: Delivery;
}

/** What is special about the work of a story's loop. */
function storyWork({ store, workspaces, repo, file, bounds, equipped, delivery }: StoryWorkArgs) {
  const { story } = file;
  const { branch, into } = bounds;
  const { clock } = equipped;
  const name = { id: story.id, title: story.title, branch };
  return {
    branch,
    workItem: {
      id: story.id,
      title: story.title,
      description: file.text.trim(),
      file: file.file,
      requirements: story.acceptanceCriteria.length,
    },
    steps: {},
    extras: async (state: LoopState) => ({
      ...(await equipped.extras?.(state)),
      branch,
      baseBranch: into,
      reviewedAt: new Date(clock.now()).toISOString().slice(0, 16).replace("T", " "),
    }),
    commitMessage: (state: LoopState, fix: FixAccount) =>
      masked(state).then((said) => storyCommitMessage(story, said, fix)),
    documents: async (state: LoopState) => await replaceFindings(repo, name, await documentsOf(store, name, state)),
    afterCommit: (plan: CommitPlan, commit: string, state: LoopState) =>
      follow(workspaces, repo, { branch, plan, commit, state }),
    delivery,
  } satisfies Partial<LoopWorkArgs>;
}

/** Moves the branch along. Work that goes on after the finalisation replaces the documents: they come again at its end. */
async function follow(
  workspaces: ProjectParts["workspaces"],
  repo: Repo,
  { branch, plan: { parent }, commit, state }: { branch: string; plan: CommitPlan; commit: string; state: LoopState },
): Promise<void> {
  const from = typeof state.documents === "object" ? state.documents.commit : parent;
  if (from !== null) await published(workspaces, repo, { branch, from, to: commit, replaces: from !== parent });
}
