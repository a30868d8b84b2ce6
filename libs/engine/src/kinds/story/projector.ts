import { readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { writeStoryStatus, writeTexts } from "@anneal/adapters/stories";
import { type FindingsFile, storyBranch, storyStatus } from "@anneal/core/stories";
import { failpoint } from "@anneal/system/failpoint";
import type { LoopState } from "@anneal/types";
import { keyOf } from "../../history/item-key.ts";
import { currentLoop } from "../../history/loop-history.ts";
import type { About } from "../../items/kind.ts";
import type { ProjectParts } from "../../items/prepare.ts";
import { documentsOf, ownDocuments } from "./findings.ts";
import { knownStory } from "./known.ts";

/** Writes what the log says about a story: its findings documents to where they wait, and its status into its file. */
export async function projectStory(
  { repo: { root }, store }: ProjectParts,
  { id, title }: About,
  state: LoopState,
  since: LoopState | null,
): Promise<void> {
  const branch = currentLoop(store, keyOf({ kind: "story", id }))?.summary.branch ?? null;
  const name = { id, title, branch: storyBranch({ id, title, ...(branch === null ? {} : { branch }) }) };
  const files = await (since === null ? documentsOf(store, name, state) : ownDocuments(name, state));
  const fresh = files.slice(since?.rounds.length ?? 0);
  if (fresh.length > 0) failpoint("story.documents.before");
  await writeTexts(
    root,
    fresh.map(({ waitsAt, content }) => ({ path: waitsAt, content })),
  );
  if (fresh.length > 0) failpoint("story.documents.after");
  if (since === null) await dropOthers(root, id, files);
  const status = storyStatus(state);
  if (since !== null && storyStatus(since) === status) return;
  const { file } = await knownStory(root, id);
  failpoint("story.status.before");
  await writeStoryStatus(root, file, status);
  failpoint("story.status.after");
}

/** Documents of a loop whose work was dropped would be taken for those of this one. */
async function dropOthers(root: string, id: string, files: readonly FindingsFile[]): Promise<void> {
  const folder = join(root, dirname(`.automaker/stories/${id}/x`));
  const kept = files.map(({ waitsAt }) => join(root, waitsAt));
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    if (/-review-findings-round-\d+\.md$/.test(name) && !kept.includes(path)) await rm(path, { force: true });
  }
}
