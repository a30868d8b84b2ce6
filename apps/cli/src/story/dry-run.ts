import { building, dryRunFrom, dryRun as linesOf } from "@anneal/core/show";
import { isStoryDone, storyBranch } from "@anneal/core/stories";
import { systemClock } from "@anneal/engine";
import {
  historyOf,
  keyOf,
  type LoopHistory,
  loadSettings,
  loopsOf,
  type ProjectReader,
  policyOf,
  refusedOf,
  testCommandProblem,
} from "@anneal/engine/project";
import {
  builtAlready,
  builtText,
  type NamedStories,
  problemText,
  type StoryFile,
  storyPreview,
} from "@anneal/engine/stories";
import type { Outcome, Policy } from "@anneal/types";
import { json } from "../project/output.ts";
import { harmless } from "../style.ts";

export interface StoryDryRun {
  settings: Awaited<ReturnType<typeof loadSettings>>["settings"];
  policy: string | undefined;
  base: string | undefined;
  json: boolean;
  /** Ends a forge that does not answer. */
  signal: AbortSignal;
}

type Reader = Pick<ProjectReader, "root" | "repo" | "store">;

/** What would become of a story, and whether it would come to its end. */
interface Course {
  lines: string[];
  ends: boolean;
  /** Whether a run would refuse it. */
  isRefused?: true;
}

/** What `anneal story run` would start, story by story, those first that others wait for. `needed` are those that only others name. */
export async function dryRun(
  { stories, needed }: Pick<NamedStories, "stories" | "needed">,
  reader: Reader,
  { settings, policy: named, base, json: asJson, signal }: StoryDryRun,
): Promise<{ text: string; isRefused: boolean }> {
  const choice = { name: named ?? "adversarial", because: "a dry run" };
  const { policy } = await policyOf(choice, settings, reader.root);
  const terms = { policy, base, known: [...stories, ...needed], signal };
  // What comes to its end in this run is there for those that come after it.
  const done = new Set(needed.filter((one) => isDone(one, reader)).map(({ story }) => story.id));
  const runs: { lines: string[] }[] = [];
  const refused: string[] = [];
  for (const one of inOrder(stories)) {
    const { id, title, dependsOn } = one.story;
    const { lines, ends, isRefused = false } = await courseOf(one, reader, { ...terms, done });
    if (isRefused) refused.push(id);
    if (ends) done.add(id);
    const about = { id, title, file: one.file, branch: storyBranch(one.story), dependsOn };
    runs.push({ ...about, lines });
  }
  const text = asJson ? json(runs) : harmless(`${runs.flatMap(({ lines }) => lines).join("\n")}\n`);
  return { text, isRefused: refused.length > 0 };
}

function isDone({ story }: StoryFile, reader: Reader): boolean {
  const state = lastLoop(reader, story.id)?.state;
  return isStoryDone(story.status) || (state?.stage === "ended" && EARNED.includes(state.outcome));
}

const EARNED: readonly Outcome[] = ["passed", "merged", "accepted"];

/** The last loop of a story, with the policy that it is bound to. */
function lastLoop({ store }: Reader, id: string): LoopHistory | null {
  const last = store === null ? undefined : loopsOf(store, { kind: "story", id }).at(-1);
  return store === null || last === undefined ? null : historyOf(store, last);
}

interface Terms {
  policy: Policy;
  base: string | undefined;
  known: StoryFile[];
  done: ReadonlySet<string>;
  signal: AbortSignal;
}

async function courseOf(file: StoryFile, reader: Reader, { done, ...terms }: Terms): Promise<Course> {
  const { story } = file;
  const last = lastLoop(reader, story.id);
  const [left] =
    last === null || last.state.stage === "ended"
      ? []
      : await refusedOf(reader, [keyOf({ kind: "story", id: story.id })]);
  if (left !== undefined) return wouldBeRefused(story, left.why);
  if (last?.state.stage === "waiting-for-human") {
    return { lines: dryRunFrom(story, last.policy, last.state), ends: false };
  }
  const missing = story.dependsOn.find((id) => !done.has(id));
  if (missing !== undefined) return { lines: [hindered(story, missing)], ends: false };
  if (last !== null && last.state.stage !== "ended") {
    return { lines: dryRunFrom(story, last.policy, last.state), ends: true };
  }
  if (isStoryDone(story.status)) return { lines: [`[DRY-RUN] Story ${story.id} is already done`], ends: true };
  const built = builtAlready(reader.store, file);
  if (built !== null) return { lines: [`[DRY-RUN] ${builtText(file, built)}`], ends: true };
  return await newCourse(file, reader, terms);
}

function hindered({ id }: StoryFile["story"], missing: string): string {
  return `[DRY-RUN] Story ${id} would not start: it depends on story ${missing}, which is not done and would not be done before it`;
}

function wouldBeRefused({ id }: StoryFile["story"], why: string): Course {
  return { lines: [`[DRY-RUN] Story ${id} would be refused: ${why}`], ends: false, isRefused: true };
}

/** The run itself decides how a story begins, and refuses it; so a dry run promises nothing else. */
async function newCourse(
  file: StoryFile,
  reader: Reader,
  { policy, base, known, signal }: Omit<Terms, "done">,
): Promise<Course> {
  const { story } = file;
  const { root } = reader;
  const untested = await testCommandProblem({ kind: "story", root, loaded: await loadSettings(root) });
  if (untested !== null) return wouldBeRefused(story, problemText(untested));
  const outlook = await storyPreview({ reader, clock: systemClock, signal }, file, {
    known,
    base,
    limits: policy.limits,
  });
  if ("refused" in outlook) return wouldBeRefused(story, outlook.refused);
  const { bounds, counted } = outlook;
  const rounds = linesOf(story, policy, undefined, counted.earlierRounds, counted.droppedRounds);
  return { lines: bounds.head === null ? [building(story), ...rounds] : rounds, ends: true };
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
