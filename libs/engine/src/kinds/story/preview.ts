import type { Clock } from "@anneal/adapters";
import type { StoryFile } from "@anneal/adapters/stories";
import { GitError, type Repo } from "@anneal/git";
import { LastingError, UsageError } from "../../errors/errors.ts";
import type { ProjectReader } from "../../history/reader.ts";
import { landedOn } from "../pull-request/landed.ts";
import { type Beginning, type StoryStart, storyStart } from "./branch.ts";

interface Looking {
  reader: Pick<ProjectReader, "repo" | "store">;
  clock: Clock;
  signal: AbortSignal;
}

/** How a run would begin a story, or why it would not, with the run's own look at the forge and the base; nothing of it stays. */
export async function storyPreview(
  { reader, clock, signal }: Looking,
  file: StoryFile,
  beginning: Omit<Beginning, "landed">,
): Promise<StoryStart | { refused: string }> {
  const { store } = reader;
  const repo = looking(reader.repo);
  const landed = store === null ? {} : { landed: look({ repo, store, clock }, signal) };
  try {
    return await storyStart({ repo, store }, file, { ...beginning, ...landed });
  } catch (error) {
    const isKnown = [UsageError, LastingError, GitError].some((kind) => error instanceof kind);
    if (!isKnown || !(error instanceof Error) || signal.aborted) throw error;
    return { refused: error.message };
  }
}

function look(parts: Parameters<typeof landedOn>[0], signal: AbortSignal): NonNullable<Beginning["landed"]> {
  return (keys, base) => landedOn(parts, { keys, base, signal });
}

/** The same repository, where what is fetched moves no ref. */
function looking(repo: Repo): Repo {
  return { ...repo, fetchBranch: (request) => repo.fetchBranch({ ...request, keeps: "nothing" }) };
}
