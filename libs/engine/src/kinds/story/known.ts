import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type FileProblem,
  findStories,
  problemText,
  readStories,
  readStory,
  type StoryFile,
  writeTexts,
} from "@anneal/adapters/stories";
import type { Repo } from "@anneal/git";
import { UsageError } from "../../errors/errors.ts";

const FOLDER = ".automaker/stories";
const NOTE = "story.json";

export interface NamedStories {
  /** In the order of asking. */
  stories: StoryFile[];
  /** Those that they depend on and nobody named. */
  needed: StoryFile[];
  /** With one of these, nothing may start. */
  problems: FileProblem[];
}

/** Reads the stories that somebody named, and finds those that they depend on. Files are paths from the project's top. */
export async function namedStories(root: string, files: readonly string[]): Promise<NamedStories> {
  const named = await readStories(files, { root });
  const ids = new Set(named.stories.map(({ story }) => story.id));
  const complete = named.stories.every(({ story }) => story.dependsOn.every((id) => ids.has(id)));
  const known = complete ? named : await withOthers(root, files);
  const inside = closure(files, known.stories);
  const clashes = await clashesOf(root, known.stories);
  return {
    stories: known.stories.filter(({ file }) => files.includes(file)),
    needed: known.stories.filter(({ file }) => inside.has(file) && !files.includes(file)),
    problems: [...known.problems, ...clashes].filter(({ file }) => inside.has(file)),
  };
}

async function withOthers(root: string, files: readonly string[]) {
  const found = await findStories(root);
  return await readStories([...files, ...found.stories.map(({ file }) => file)], { root });
}

/** The files that are named, and those of every story that one of them waits for. */
function closure(files: readonly string[], stories: readonly StoryFile[]): Set<string> {
  const byId = new Map([...stories].reverse().map((one) => [one.story.id, one]));
  const inside = new Set(files);
  for (const file of inside) {
    const story = stories.find((one) => one.file === file)?.story;
    for (const id of story?.dependsOn ?? []) {
      const needed = byId.get(id);
      if (needed !== undefined) inside.add(needed.file);
    }
  }
  return inside;
}

/** A story that is known from another file, which is still there and still has that id. */
async function clashesOf(root: string, stories: readonly StoryFile[]): Promise<FileProblem[]> {
  const problems: FileProblem[] = [];
  for (const { file, story, lines } of stories) {
    const before = await fileOf(root, story.id);
    if (before === null || before === file) continue;
    const read = await readStory(before, root);
    if (!read.ok || read.story.id !== story.id) continue;
    const message = `story ${story.id} is already in ${before}: give one of them another id`;
    problems.push({ file, line: lines.id, message });
  }
  return problems;
}

/** Remembers where stories lie, so that their loops can be named by id from now on. */
export async function rememberStories(repo: Repo, stories: readonly StoryFile[]): Promise<void> {
  // What waits here belongs to no commit.
  await repo.exclude([`/${FOLDER}/`]);
  const notes = stories.map(({ story, file }) => ({
    path: `${FOLDER}/${story.id}/${NOTE}`,
    content: `${JSON.stringify({ file }, null, 2)}\n`,
  }));
  await writeTexts(repo.root, notes);
}

export interface KnownStory {
  id: string;
  /** Null where its file cannot be read; `damaged` says why. */
  story: StoryFile | null;
  damaged: string | null;
}

/** Every story that was named once. Their dependencies are ids, however they were written. */
export async function knownStories(root: string): Promise<KnownStory[]> {
  const folders = await readdir(join(root, FOLDER), { withFileTypes: true }).catch(() => []);
  const ids = folders.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const places = await Promise.all(ids.sort().map(async (id) => ({ id, file: await fileOf(root, id) })));
  const noted = places.flatMap(({ id, file }) => (file === null ? [] : [{ id, file }]));
  const { stories, problems } = await readStories(
    noted.map(({ file }) => file),
    { root },
  );
  return noted.map(({ id, file }) => {
    const story = stories.find((one) => one.file === file && one.story.id === id) ?? null;
    const why = problems.find((one) => one.file === file);
    const damaged = why === undefined ? `${file} does not contain story ${id} any more` : problemText(why);
    return { id, story, damaged: story === null ? damaged : null };
  });
}

/** A story by its id, as its file is now. */
export async function knownStory(root: string, id: string): Promise<StoryFile> {
  const known = (await knownStories(root)).find((one) => one.id === id);
  if (known === undefined) throw new UsageError(`no story ${id}; add it with anneal story run FILE`);
  if (known.story === null) throw new UsageError(`story ${id} cannot be read: ${known.damaged}`);
  return known.story;
}

async function fileOf(root: string, id: string): Promise<string | null> {
  try {
    const note: unknown = JSON.parse(await readFile(join(root, FOLDER, id, NOTE), "utf8"));
    const file = typeof note === "object" && note !== null && "file" in note ? note.file : null;
    return typeof file === "string" ? file : null;
  } catch {
    return null;
  }
}
