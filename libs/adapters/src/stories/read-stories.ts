import { basename } from "node:path";
import { isStoryDone, storyBranch } from "@anneal/core/stories";
import { dependencyProblems } from "./dependencies.ts";
import type { FileProblem } from "./front-matter/problem.ts";
import { alikeId, readStory, type StoryFile } from "./read-story.ts";

export interface Stories {
  /** Those that could be read, in the order of asking. Their dependencies are ids, however they were written. */
  stories: StoryFile[];
  /** With one of these, nothing may start. */
  problems: FileProblem[];
}

export interface ReadStoriesOptions {
  root?: string;
  /** Ids of stories that exist besides these, so that depending on them is no mistake. */
  alsoKnown?: ReadonlySet<string>;
}

/** Reads stories that belong together, and checks what they say about each other. */
export async function readStories(files: readonly string[], options: ReadStoriesOptions = {}): Promise<Stories> {
  const reads = await Promise.all([...new Set(files)].map((file) => readStory(file, options.root)));
  const stories = withIds(reads.flatMap((read) => (read.ok ? [withoutOk(read)] : [])));
  const unread = reads.flatMap((read) => (read.ok ? [] : read.problems));
  const dependents = stories.map(({ file, story, lines }) => ({
    id: story.id,
    file,
    line: lines.id,
    dependsOn: story.dependsOn.map((id, at) => ({ id, line: lines.dependsOn[at] ?? 1 })),
  }));
  const { alsoKnown } = options;
  const words = { noun: "story", plural: "stories", keyOf: alikeId, ...(alsoKnown === undefined ? {} : { alsoKnown }) };
  return { stories, problems: [...unread, ...dependencyProblems(dependents, words), ...sharedBranches(stories)] };
}

/** Stories that are to be worked on, on one branch: each would build over the other. Some file systems hold no capitals. */
function sharedBranches(stories: readonly StoryFile[]): FileProblem[] {
  const first = new Map<string, StoryFile>();
  return stories.flatMap((one) => {
    const { file, story, lines } = one;
    if (isStoryDone(story.status) || story.status === "skipped") return [];
    const branch = storyBranch(story);
    const other = first.get(branch.toLowerCase());
    if (other === undefined) {
      first.set(branch.toLowerCase(), one);
      return [];
    }
    // Duplicate ids are reported as that.
    if (alikeId(other.story.id) === alikeId(story.id)) return [];
    const where = `${other.file}:${other.lines.branch}`;
    const message = `branch: ${branch} is also that of story ${other.story.id} (${where}): give one of them another`;
    return [{ file, line: lines.branch, message }];
  });
}

/** People also name a dependency by its file, or with dashes for dots; both become the id that is meant. */
function withIds(stories: readonly StoryFile[]): StoryFile[] {
  const exact = new Set(stories.map(({ story }) => story.id));
  const meant = new Map(
    stories.flatMap(({ file, story: { id } }) => [
      [alikeId(basename(file, ".md")), id],
      [alikeId(id), id],
    ]),
  );
  const idOf = (written: string) => (exact.has(written) ? written : (meant.get(alikeId(written)) ?? written));
  return stories.map((each) => ({
    ...each,
    story: { ...each.story, dependsOn: each.story.dependsOn.map(idOf) },
  }));
}

function withoutOk({ ok: _, ...story }: StoryFile & { ok: true }): StoryFile {
  return story;
}
