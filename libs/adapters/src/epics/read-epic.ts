import { readdir } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import {
  type Assembled,
  assembleEpic,
  type EpicProblem,
  readTicketMarkdown,
  type TicketFile,
  whyBadName,
} from "@anneal/core/epics";
import { Epic } from "@anneal/types";
import { epicFields, typeProblems } from "./fields.ts";
import { readTextFile } from "./text-file.ts";
import { readTicketFile } from "./ticket-file.ts";
import { readYamlText, type YamlText } from "./yaml-text.ts";

/** The file name of an epic, and its id in it. */
export const EPIC_FILE = /^(.+)\.epic\.ya?ml$/;

/**
 * Reads an epic with its ticket files, or tells everything that is wrong with them, with file and line.
 * `root` is the top of the project, which no file may lie outside of; by default the folder that holds `.epics`.
 */
export async function readEpic(file: string, options: { root?: string } = {}): Promise<Assembled> {
  const whole = resolve(file);
  const root = resolve(options.root ?? rootOf(whole));
  const shown = (path: string) => relative(root, path).split(sep).join("/");
  const path = shown(whole);
  const failed = (line: number, message: string): Assembled => ({
    ok: false,
    problems: [{ file: path, line, message }],
  });
  const id = EPIC_FILE.exec(basename(whole))?.[1];
  if (id === undefined) return failed(1, "the file of an epic must be named {name}.epic.yaml");
  const content = await readTextFile(whole, root);
  if (!content.ok) return failed(content.line, content.problem);
  const yaml = readYamlText(content.text);
  if (!yaml.ok) return failed(yaml.line, yaml.problem);
  const parsed = Epic.safeParse(epicFields(yaml.value));
  if (!parsed.success) return { ok: false, problems: typeProblems(path, yaml, parsed.error) };

  const folder = join(dirname(whole), "tickets");
  const pathOf = (ticket: string) => shown(join(folder, `${ticket}.md`));
  const { files, problems } = await ticketFiles(parsed.data, (name) =>
    readTicketFile(join(folder, `${name}.md`), root, pathOf(name)),
  );
  const assembled = assembleEpic({ id, path, epic: parsed.data, lineOf: yaml.lineOf, pathOf, files });
  if (!assembled.ok) return { ok: false, problems: [...assembled.problems, ...problems] };
  if (problems.length > 0) return { ok: false, problems };
  const strays = (await unlisted(folder, parsed.data)).map((name) => shown(join(folder, name)));
  return {
    ...assembled,
    notes: [
      ...assembled.notes,
      ...ignored(path, yaml),
      ...strays.map((one) => `${one}:1: the epic does not list this ticket`),
    ],
  };
}

/** An epic as a whole waits for nothing, though somebody may have meant it to. */
function ignored(path: string, { value, lineOf }: Pick<Extract<YamlText, { ok: true }>, "value" | "lineOf">): string[] {
  return ["depends_on", "dependencies"]
    .filter((key) => Object.hasOwn(value, key))
    .map(
      (key) =>
        `${path}:${lineOf([key])}: ${key} of the epic itself has no effect: write it into the tickets that depend on others`,
    );
}

/** `root` of `root/.epics/{epic}/{epic}.epic.yaml`; of any other path, its folder. */
function rootOf(file: string): string {
  const folder = dirname(file);
  const above = dirname(folder);
  return basename(above) === ".epics" ? dirname(above) : folder;
}

async function ticketFiles(
  { tickets }: Epic,
  read: (name: string) => ReturnType<typeof readTicketFile>,
): Promise<{ files: Map<string, TicketFile>; problems: EpicProblem[] }> {
  const files = new Map<string, TicketFile>();
  const problems: EpicProblem[] = [];
  // A name that could lead out of the folder is refused elsewhere, and never looked up.
  for (const name of new Set(tickets.map((ticket) => ticket.name).filter((one) => whyBadName(one) === null))) {
    const ticket = await read(name);
    if (ticket === null) continue;
    if (!ticket.ok) problems.push(...ticket.problems);
    files.set(name, ticket.ok ? ticket.file : unread(name));
  }
  return { files, problems };
}

/** Stands for a file that cannot be read, so that its ticket is not blamed for saying nothing. */
function unread(path: string): TicketFile {
  return { path, text: "?", markdown: readTicketMarkdown(""), front: null };
}

async function unlisted(folder: string, { tickets }: Epic): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  const listed = new Set(tickets.map(({ name }) => `${name}.md`));
  return names.filter((name) => name.endsWith(".md") && !listed.has(name)).sort();
}
