import { resolve } from "node:path";
import { STORY_STATUSES, storyStatusNamed } from "@anneal/core/stories";
import { type Story, StoryFrontMatter, StoryId } from "@anneal/types";
import { whyNoBranchName } from "./branch-name.ts";
import { type FileProblem, schemaProblems } from "./front-matter/problem.ts";
import { askedBy } from "./front-matter/same-by-hand.ts";
import { NEVER_CLOSED } from "./front-matter/set-fields.ts";
import { lineAt, splitFrontMatter } from "./front-matter/split.ts";
import { readText } from "./front-matter/text-file.ts";
import { readYamlMap } from "./front-matter/yaml-map.ts";
import { readStoryBody, type StoryBody } from "./story-body.ts";

/** A story with the file that it was read from. */
export interface StoryFile {
  /** As it was named by the caller. */
  file: string;
  story: Story;
  /** The markdown below the front matter. */
  text: string;
  /** Changes with every byte of the file. */
  version: string;
  /** Changes with what the story asks for only: see `askedBy`. */
  asks: string;
  /** Without a branch of its own, the line of the id, which its branch is made of. */
  lines: { id: number; branch: number; dependsOn: readonly number[] };
}

export type StoryRead = ({ ok: true } & StoryFile) | { ok: false; problems: FileProblem[] };

/** Reads a story's markdown file. What is wrong with it comes as problems with their lines; the file is never touched. */
export async function readStory(file: string, root: string = process.cwd()): Promise<StoryRead> {
  const read = await readText(resolve(root, file));
  if (!read.ok) return { ok: false, problems: [{ file, line: 1, message: read.message }] };
  return interpretStory(file, read.text, read.version);
}

/** Reads a text that is already here, as `readStory` would. */
export function interpretStory(file: string, text: string, version: string): StoryRead {
  const front = frontMatter(file, text);
  if (!front.ok) return front;
  const body = text.slice(front.bodyStart);
  const found = readStoryBody(body, lineAt(text, front.bodyStart));
  const { values } = front;
  const problems: FileProblem[] = [];
  const identity = idOf(file, { front, heading: found.heading });
  if ("problem" in identity) problems.push(identity.problem);
  const branchTrouble = values.branch === undefined ? null : whyNoBranchName(values.branch);
  if (branchTrouble !== null) {
    problems.push({ file, line: front.lineOf(["branch"]), message: `branch: ${branchTrouble}` });
  }
  const status = values.status === undefined ? undefined : storyStatusNamed(values.status);
  if (status === null) {
    const message = `status: unknown value ${JSON.stringify(values.status?.slice(0, 80))}; known: ${STORY_STATUSES.join(", ")}`;
    problems.push({ file, line: front.lineOf(["status"]), message });
  }
  if (problems.length > 0 || "problem" in identity) return { ok: false, problems };
  const dependsOn = values.depends_on ?? [];
  const story: Story = {
    id: identity.id,
    title: values.title || found.heading?.title || `Story ${identity.id}`,
    ...(status === undefined || status === null ? {} : { status }),
    dependsOn,
    ...(values.branch === undefined ? {} : { branch: values.branch }),
    acceptanceCriteria: found.acceptanceCriteria,
    tasks: found.tasks,
  };
  const lines = {
    id: identity.line,
    branch: values.branch === undefined ? identity.line : front.lineOf(["branch"]),
    dependsOn: dependsOn.map((_, at) => front.lineOf(["depends_on", at])),
  };
  return { ok: true, file, story, text: body, version, asks: askedBy(text), lines };
}

interface Refused {
  ok: false;
  problems: FileProblem[];
}

interface Front {
  ok: true;
  values: StoryFrontMatter;
  lineOf(path: readonly PropertyKey[]): number;
  bodyStart: number;
}

function frontMatter(file: string, text: string): Front | Refused {
  const split = splitFrontMatter(text);
  const refused = (line: number, message: string): Refused => ({ ok: false, problems: [{ file, line, message }] });
  if (split.kind === "open") return refused(1, NEVER_CLOSED);
  if (split.kind === "none") return { ok: true, values: {}, lineOf: () => 1, bodyStart: split.bodyStart };
  // Ids such as 3.10 are no numbers, so every value is taken as the text that stands there.
  const read = readYamlMap(split.yaml, { firstLine: 2, scalars: "texts" });
  if (!read.ok) return refused(read.line, `front matter: ${read.message}`);
  const parsed = StoryFrontMatter.safeParse(withoutBlanks(read.value));
  if (!parsed.success) return { ok: false, problems: schemaProblems(file, parsed.error, read.lineOf) };
  return { ok: true, values: parsed.data, lineOf: read.lineOf, bodyStart: split.bodyStart };
}

/** A key without a value is as good as none, and one dependency needs no list. */
function withoutBlanks(values: Record<string, unknown>): Record<string, unknown> {
  const filled = Object.entries(values).filter(([, value]) => !isBlank(value));
  return Object.fromEntries(
    filled.map(([key, value]) => [key, key === "depends_on" && typeof value === "string" ? [value] : value]),
  );
}

function isBlank(value: unknown): boolean {
  return value === null || (typeof value === "string" && /^(?:|~|null)$/i.test(value.trim()));
}

function idOf(
  file: string,
  { front, heading }: { front: Front; heading: StoryBody["heading"] },
): { id: string; line: number } | { problem: FileProblem } {
  const named = front.values.id;
  if (heading === null) {
    if (named !== undefined) return { id: named, line: front.lineOf(["id"]) };
    const message = "the story has no id: begin it with `# Story 2.1: Title`, or give it an `id` in the front matter";
    return { problem: { file, line: 1, message } };
  }
  if (named === undefined) {
    const parsed = StoryId.safeParse(heading.id);
    if (parsed.success) return { id: parsed.data, line: heading.line };
    const why = parsed.error.issues[0]?.message ?? "it is not a story id";
    return { problem: { file, line: heading.line, message: `id ${JSON.stringify(heading.id.slice(0, 80))}: ${why}` } };
  }
  if (alikeId(named) === alikeId(heading.id)) return { id: named, line: front.lineOf(["id"]) };
  const message = `the heading is that of story ${JSON.stringify(heading.id.slice(0, 80))}, the front matter says ${JSON.stringify(named)}`;
  return { problem: { file, line: heading.line, message } };
}

/** Ids with the same result would share files or a branch: those hold no dots, and some file systems no capitals. */
export function alikeId(id: string): string {
  return id.toLowerCase().replace(/[^a-z0-9]+/g, "-");
}
