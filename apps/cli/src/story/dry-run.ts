import { roundsDone } from "@anneal/core";
import { building, dryRunFrom, isStoryDone, dryRun as linesOf, storyBranch } from "@anneal/core/stories";
import { type loadSettings, policyOf } from "@anneal/engine/project";
import type { StoryFile } from "@anneal/engine/stories";
import type { LoopState, Outcome, Policy } from "@anneal/types";
import { json } from "../project/output.ts";
import { harmless } from "../style.ts";

export interface DryRun {
  root: string;
  settings: Awaited<ReturnType<typeof loadSettings>>["settings"];
  policy: string | undefined;
  json: boolean;
  /** The last loop of a story, with the policy that it is bound to. */
  lastOf: (id: string) => { policy: Policy; state: LoopState } | null;
}

/** What `anneal story run` would start, story by story, those first that others wait for. `needed` are those that only others name. */
export async function dryRun(
  { stories, needed }: { stories: readonly StoryFile[]; needed: readonly StoryFile[] },
  { root, settings, policy: named, json: asJson, lastOf }: DryRun,
): Promise<string> {
  const choice = { name: named ?? "adversarial", because: "a dry run" };
  const { policy } = await policyOf(choice, settings, root);
  const done = new Set(needed.filter((one) => isDone(one, lastOf)).map(({ story }) => story.id));
  const runs = inOrder(stories).map(({ file, story }) => {
    const branch = storyBranch(story);
    const last = lastOf(story.id);
    const missing = story.dependsOn.find((id) => !done.has(id));
    const waits = last?.state.stage === "waiting-for-human";
    // What comes to its end in this run is there for those that come after it.
    if (missing === undefined && !waits) done.add(story.id);
    return {
      id: story.id,
      title: story.title,
      file,
      branch,
      dependsOn: story.dependsOn,
      lines: missing === undefined || waits ? wouldDo(story, policy, last) : [hindered(story, missing)],
    };
  });
  return asJson ? json(runs) : harmless(`${runs.flatMap(({ lines }) => lines).join("\n")}\n`);
}

function isDone({ story }: StoryFile, lastOf: DryRun["lastOf"]): boolean {
  const state = lastOf(story.id)?.state;
  return isStoryDone(story.status) || (state?.stage === "ended" && EARNED.includes(state.outcome));
}

const EARNED: readonly Outcome[] = ["passed", "merged", "accepted"];

function hindered({ id }: StoryFile["story"], missing: string): string {
  return `[DRY-RUN] Story ${id} depends on story ${missing}, which is not done and would not be: nothing would start`;
}

function wouldDo(story: StoryFile["story"], policy: Policy, last: ReturnType<DryRun["lastOf"]>): string[] {
  if (last !== null && last.state.stage !== "ended") return dryRunFrom(story, last.policy, last.state);
  if (isStoryDone(story.status)) return [`[DRY-RUN] Story ${story.id} is done already`];
  const rounds = last === null ? 0 : roundsDone(last.state);
  const asItStands = story.status === "review";
  // Work that is built anew has all its rounds.
  const dropped = asItStands ? (last?.state.droppedRounds ?? 0) : rounds;
  return [...(asItStands ? [] : [building(story)]), ...linesOf(story, policy, undefined, rounds, dropped)];
}

/** Dependencies first, then as they were named. There are no circles here. */
function inOrder(stories: readonly StoryFile[]): StoryFile[] {
  const ordered = new Set<StoryFile>();
  const visit = (one: StoryFile) => {
    for (const id of one.story.dependsOn) {
      const needed = stories.find((other) => other.story.id === id);
      if (needed !== undefined && !ordered.has(needed)) visit(needed);
    }
    ordered.add(one);
  };
  for (const one of stories) visit(one);
  return [...ordered];
}
