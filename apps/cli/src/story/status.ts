import { parseArgs } from "node:util";
import { type Escalation, escalation, findingsFiles, isStoryDone, storyBranch } from "@anneal/core/stories";
import { systemClock } from "@anneal/engine";
import {
  callerLocation,
  currentLoop,
  historyOf,
  isOwned,
  keyOf,
  loopStatus,
  openReader,
  type ProjectReader,
  type StatusLine,
} from "@anneal/engine/project";
import { findStories, knownStories, type StoryFile } from "@anneal/engine/stories";
import { statusText } from "../project/lines.ts";
import { json } from "../project/output.ts";
import { painter } from "../style.ts";
import { pathsOf } from "./files.ts";

const EMPTY = "No stories here: a story is a markdown file that begins with `# Story 2.1: Title`.\n";

type StoryLine = StatusLine & {
  file: string | null;
  branch: string | null;
  /** Where its findings documents wait. */
  findings: string[];
  question: Escalation | null;
};

/** `anneal story status`. It only reads. */
export async function showStories(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { json: { type: "boolean", default: false } },
  });
  const files = pathsOf(positionals, await callerLocation(process.cwd()));
  using project = await openReader(process.cwd(), systemClock);
  const all = await linesOf(project);
  const lines = files.length === 0 ? all : all.filter(({ file }) => file !== null && files.includes(file));
  if (values.json) process.stdout.write(json(lines));
  else process.stdout.write(lines.length === 0 ? EMPTY : text(lines, project));
  return 0;
}

/** Stories that have been run or named, and those that lie in the repository besides. */
async function linesOf(project: ProjectReader): Promise<StoryLine[]> {
  const known = await knownStories(project.root);
  const names = new Set(known.map(({ id }) => id));
  const others = (await findStories(project.root)).stories.filter(({ story }) => !names.has(story.id));
  const all = [...known, ...others.map((story) => ({ id: story.story.id, story, damaged: null }))];
  const done = new Set(all.filter(({ story }) => isStoryDone(story?.story.status)).map(({ id }) => id));
  return all.map(({ id, story, damaged }) => {
    const { title = "", status = null, dependsOn = [] } = story?.story ?? {};
    const open = dependsOn.filter((needed) => !done.has(needed)).map((needed) => keyOf({ kind: "story", id: needed }));
    const key = keyOf({ kind: "story", id });
    const loop = loopOf(project, key, id);
    const line = { id: key, kind: "story", title, status, damaged, dependsOn: open };
    return { ...line, file: story?.file ?? null, ...branchOf(story, loop), ...loop };
  });
}

function loopOf({ store }: ProjectReader, key: string, id: string): Pick<StoryLine, "loop" | "findings" | "question"> {
  const row = store === null ? null : currentLoop(store, key);
  if (store === null || row === null) return { loop: null, findings: [], question: null };
  const { state } = historyOf(store, row);
  const findings = findingsFiles({ id, title: row.summary.title }, state).map(({ waitsAt }) => waitsAt);
  return { loop: loopStatus(row), findings, question: escalation({ id }, state) };
}

function branchOf(story: StoryFile | null, { loop }: Pick<StoryLine, "loop">): Pick<StoryLine, "branch"> {
  return { branch: loop?.branch ?? (story === null ? null : storyBranch(story.story)) };
}

function text(lines: readonly StoryLine[], { repo }: ProjectReader): string {
  const { stdout } = process;
  return statusText(lines, {
    paint: painter(stdout),
    columns: stdout.columns || 160,
    now: systemClock.now(),
    running: isOwned(repo),
    ids: "whole",
  });
}
