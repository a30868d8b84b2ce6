import { join } from "node:path";
import { splitFrontMatter } from "./front-matter/split.ts";
import { readText } from "./front-matter/text-file.ts";
import { readYamlMap } from "./front-matter/yaml-map.ts";
import { markdownFiles } from "./markdown-files.ts";
import { markdownLines } from "./markdown-lines.ts";
import { readStories, type Stories } from "./read-stories.ts";
import { storyHeading } from "./story-body.ts";

/** Every story of a repository: markdown that begins with `# Story 2.1: …`, or lies among stories and has an id. */
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
  const heading = storyHeading(markdownLines(body, 1));
  if (heading !== null) return !/\s/.test(heading.id) && /[^A-Za-z]/.test(heading.id);
  return split.kind === "found" && /stor(?:y|ies)/i.test(file) && hasId(split.yaml);
}

function hasId(yaml: string): boolean {
  const read = readYamlMap(yaml, { firstLine: 1, scalars: "texts" });
  // One that is no id of ours is a story all the same: it is shown with its problem.
  return read.ok && typeof read.value.id === "string" && read.value.id.trim() !== "";
}
