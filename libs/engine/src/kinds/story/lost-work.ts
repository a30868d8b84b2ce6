import type { StoryFile } from "@anneal/adapters/stories";
import { leftBy } from "@anneal/core";
import { isStoryDone, storyBranch } from "@anneal/core/stories";
import type { Repo } from "@anneal/git";
import { historyOf, loopsOf } from "../../history/loop-history.ts";
import type { ProjectStore } from "../../history/store-log.ts";
import { isEarned } from "../../items/by-hand.ts";
import { isMissing, isPartOf } from "../../work/part-of.ts";
import { builtAlready } from "./built.ts";

interface Looked {
  file: StoryFile;
  /** Where its branch stands. */
  tip: string | null;
  base: { commit: string; name: string };
}

/**
 * What a story's last loop made, where its branch was put back or is gone and the base does not have it either; in words.
 * A branch that somebody has rewritten is their decision, and no loss.
 */
export async function lostWork(
  { repo, store }: { repo: Repo; store: ProjectStore | null },
  { file, tip, base }: Looked,
): Promise<string | null> {
  const { id, status } = file.story;
  // One that is to be built anew is waited for.
  if (!isStoryDone(status) && builtAlready(store, file) === null) return null;
  const last = store === null ? undefined : loopsOf(store, { kind: "story", id }).at(-1);
  if (store === null || last?.stage !== "ended" || !isEarned(last)) return null;
  const { state } = historyOf(store, last);
  const { head } = state;
  if (head === null) return null;
  const isBehind = tip === null || (tip !== head && (await isPartOf(repo, tip, head)));
  if (!isBehind && !(await isPartOf(repo, tip, base.commit))) return null;
  if (!(await isMissing(repo, head, base.commit, { isIgnored: (path) => path === file.file }))) return null;
  const branch = storyBranch(file.story);
  const [made, back] = [head.slice(0, 12), leftBy(state).slice(0, 12)];
  return `the work of story ${id} (${made}) is neither on ${branch} nor in ${base.name}: restore it with git branch -f ${branch} ${back}; if ${base.name} has it in another form, remove ${id} from \`depends_on\``;
}
