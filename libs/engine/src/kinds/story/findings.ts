import { lstat, readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { writeTexts } from "@anneal/adapters/stories";
import { type FindingsFile, findingsFiles, isFindingsPath } from "@anneal/core/stories";
import { findingsDocumentPath } from "@anneal/core/write";
import type { Repo } from "@anneal/git";
import type { LoopState } from "@anneal/types";
import type { Hidden } from "@anneal/workspace/reading-copy";
import { historyOf, loopsOf } from "../../history/loop-history.ts";
import type { ProjectStore } from "../../history/store-log.ts";
import type { ReviewCopies } from "../../review/review-copies.ts";
import { masked } from "../../review/secrets/masked.ts";

const FOLDER = dirname(findingsDocumentPath("1", 1));

const GONE = { recursive: true, force: true };

/** What a story is called by, as far as its documents say so. */
export interface StoryName {
  id: string;
  title: string;
  branch: string;
}

/** Reviewers get trees without this story's findings documents, whatever is committed. */
export function withoutDocuments(trees: ReviewCopies, id: string): ReviewCopies {
  return {
    ...(trees.source === undefined ? {} : { source: trees.source }),
    lend: (head, work) =>
      trees.lend(head, async (repo) => {
        for (const path of await findingsIn(repo.root, id)) await rm(join(repo.root, path), GONE);
        return await work(repo);
      }),
  };
}

/** Where each round is to know nothing of another, no commit that they can read holds one either. */
export function documentsHidden(id: string): Hidden {
  return { within: [FOLDER], hides: (path) => isFindingsPath(path, id) };
}

/** A workspace whose trees hold this story's findings documents exactly as the base has them, whatever agents write there. */
export function withoutFindings(repo: Repo, id: string, base: string): Repo {
  const asInBase = async (path: string) => {
    const content = await repo.fileAt(base, path);
    await rm(join(repo.root, path), GONE);
    if (content !== null) await writeTexts(repo.root, [{ path, content }]);
  };
  return {
    ...repo,
    worktreeTree: async (options) => {
      const there = await findingsIn(repo.root, id);
      for (const path of new Set([...there, ...(await findingsAt(repo, id, base))])) await asInBase(path);
      return await repo.worktreeTree(options);
    },
  };
}

/** The documents of a story that a commit holds; their rounds have no gaps. */
export async function findingsAt(repo: Pick<Repo, "fileAt">, id: string, commit: string): Promise<string[]> {
  const found: string[] = [];
  for (;;) {
    const path = findingsDocumentPath(id, found.length + 1);
    if ((await repo.fileAt(commit, path)) === null) return found;
    found.push(path);
  }
}

/** The documents of a loop's rounds. They are committed and pushed, and nobody could take a secret out of the log that they are made from. */
export async function ownDocuments(name: StoryName, state: LoopState): Promise<FindingsFile[]> {
  return findingsFiles(name, await masked(state));
}

/** The documents of all rounds that count: those of this loop, and of the loops whose work it goes on with. */
export async function documentsOf(store: ProjectStore, name: StoryName, state: LoopState): Promise<FindingsFile[]> {
  const byRound = new Map<number, FindingsFile>();
  for (const row of state.earlierRounds === 0 ? [] : loopsOf(store, { kind: "story", id: name.id })) {
    const branch = row.summary.branch ?? name.branch;
    const files = await ownDocuments({ ...name, branch }, historyOf(store, row).state);
    for (const file of files) byRound.set(file.round, file);
  }
  const earlier = [...byRound.values()].filter(({ round }) => round <= state.earlierRounds);
  return [...earlier.sort((a, b) => a.round - b.round), ...(await ownDocuments(name, state))];
}

/** Puts documents into the workspace, and takes others of the story away; gives the paths of both. */
export async function replaceFindings(
  { root }: Repo,
  name: StoryName,
  files: readonly FindingsFile[],
): Promise<string[]> {
  const paths = files.map(({ path }) => path);
  const others = (await findingsIn(root, name.id)).filter((path) => !paths.includes(path));
  for (const path of others) await rm(join(root, path), GONE);
  await writeTexts(root, files);
  return [...paths, ...others];
}

/** The findings documents of a story that lie below a root. Nothing is looked for behind links. */
async function findingsIn(root: string, id: string): Promise<string[]> {
  let folder = root;
  for (const part of FOLDER.split("/")) {
    folder = join(folder, part);
    const found = await lstat(folder).catch(() => null);
    if (found?.isDirectory() !== true) return [];
  }
  const paths = (await readdir(folder)).map((name) => `${FOLDER}/${name}`);
  return paths.filter((path) => isFindingsPath(path, id)).sort();
}
