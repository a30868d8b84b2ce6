import { join } from "node:path";
import { splitFrontMatter } from "./front-matter/split.ts";
import { readText } from "./front-matter/text-file.ts";
import { readYamlMap } from "./front-matter/yaml-map.ts";
import { markdownFiles } from "./markdown-files.ts";
import { headingOf, type MarkdownLine, markdownLines } from "./markdown-lines.ts";
import { readStories, type Stories } from "./read-stories.ts";
import { storyHeading } from "./story-body.ts";

/**
 * Every story of a repository: markdown that begins with `# Story 2.1: …`, begins with `# Story …` and has an id, or lies among
 * stories and has an id or such a heading. One whose id is missing or wrong is a problem, never left out.
 */
export async function findStories(root: string): Promise<Stories> {
  const files: string[] = [];
  for (const file of await markdownFiles(root)) if (await isStory(root, file)) files.push(file);
  return readStories(files, { root });
}

async function isStory(root: string, file: string): Promise<boolean> {
  const read = await readText(join(root, file));
  if (!read.ok) return false;
  const split = splitFrontMatter(read.text);
  // Front matter that never ends would hide the heading below it; such a story is shown with its problem.
  const body = split.kind === "open" ? read.text.slice(read.text.indexOf("\n") + 1) : read.text.slice(split.bodyStart);
  const lines = markdownLines(body, 1);
  const heading = storyHeading(lines);
  const among = /stor(?:y|ies)/i.test(file);
  const named = split.kind === "found" && hasId(split.yaml);
  if (heading === null) return among && (named || isNameless(lines));
  return isNumbered(heading) || named || (among && heading.mark === ":");
}

/** A number tells a story from prose about stories; with blanks in it, it is one only before a colon. */
function isNumbered({ id, mark }: { id: string; mark: string }): boolean {
  return /\s/.test(id) ? /\d/.test(id) && mark === ":" : /[^A-Za-z]/.test(id);
}

/** `# Story: Title`, which is meant as one and says no id. */
function isNameless(lines: readonly MarkdownLine[]): boolean {
  const [first] = lines.flatMap((line) => headingOf(line) ?? []);
  return first?.level === 1 && /^Story\s*:/i.test(first.title);
}

function hasId(yaml: string): boolean {
  const read = readYamlMap(yaml, { firstLine: 1, scalars: "texts" });
  // One that is no id of ours is a story all the same: it is shown with its problem.
  return read.ok && typeof read.value.id === "string" && read.value.id.trim() !== "";
}
