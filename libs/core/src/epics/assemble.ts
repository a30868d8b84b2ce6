import type { Epic, EpicTicket } from "@anneal/types";
import { findCycle } from "../items/order.ts";
import { type EpicItem, type EpicProblem, type TicketItem, whyBadName } from "./items.ts";
import { outline } from "./outline.ts";
import type { NumberedText, TicketMarkdown } from "./ticket-markdown.ts";

/** Where something stands in a YAML text, by its path; the nearest thing around it where it is not there. */
export type LineOf = (path: readonly (string | number)[]) => number;

/** A ticket's own file, and what it says. */
export interface TicketFile {
  path: string;
  text: string;
  markdown: TicketMarkdown;
  /** The fields of its front matter, which are those of a ticket in the epic. */
  front: { fields: Partial<EpicTicket>; lineOf: LineOf } | null;
}

export interface EpicSource {
  id: string;
  path: string;
  epic: Epic;
  lineOf: LineOf;
  /** Where the file of a ticket is or would be, from the top of the project. */
  pathOf(ticket: string): string;
  files: ReadonlyMap<string, TicketFile>;
}

export type Assembled = { ok: true; epic: EpicItem; notes: string[] } | { ok: false; problems: EpicProblem[] };

/**
 * Puts an epic and its ticket files together, or says all that is wrong with them.
 * The YAML decides which tickets there are. What both say of a ticket is joined: criteria, files and dependencies of
 * either hold, it is critical if either says so, and the file's description goes before the YAML's.
 */
export function assembleEpic(source: EpicSource): Assembled {
  const { id, path, epic, lineOf } = source;
  const { tickets } = epic;
  const drafts = tickets.map((ticket, index) => draftOf(source, ticket, index));
  const problems = [
    ...(tickets.length === 0 ? [{ file: path, line: lineOf(["tickets"]), message: "the epic has no tickets" }] : []),
    ...nameProblems(source),
    ...drafts.flatMap((draft) => draft.problems),
    ...unknownDependencies(drafts),
  ];
  // Where two tickets have one name, nobody knows which of them is meant.
  const isClear = new Set(drafts.map(({ item }) => item.id)).size === drafts.length;
  const circle = isClear ? findCycle(drafts.map(({ item }) => item)) : null;
  if (circle !== null) problems.push(circleProblem(drafts, circle));
  if (problems.length > 0) return { ok: false, problems };
  return {
    ok: true,
    notes: drafts.flatMap((draft) => draft.notes),
    epic: {
      id,
      title: epic.name ?? epic.epic ?? id,
      path,
      coordination: coordinationOf(epic),
      rollbackOnFailure: epic.rollback_on_failure ?? false,
      tickets: drafts.map(({ item }) => item),
      source: epic,
    },
  };
}

interface Need {
  id: string;
  file: string;
  line: number;
}

interface Draft {
  item: TicketItem;
  needs: Need[];
  problems: EpicProblem[];
  notes: string[];
}

function draftOf(source: EpicSource, ticket: EpicTicket, index: number): Draft {
  const { path, lineOf } = source;
  const file = source.files.get(ticket.name);
  const at = (...keys: (string | number)[]) => lineOf(["tickets", index, ...keys]);
  const needs = [
    ...needsIn(ticket, path, at),
    ...(file?.front ? needsIn(file.front.fields, file.path, (...keys) => file.front?.lineOf(keys) ?? 1) : []),
    ...(file?.markdown.dependencies ?? []).map(({ text, line }) => ({ id: text, file: file?.path ?? "", line })),
  ];
  const description = file?.markdown.description ?? file?.front?.fields.description ?? ticket.description ?? "";
  const text = textOf(ticket, file);
  const item: TicketItem = {
    id: ticket.name,
    title: file?.markdown.title ?? firstLine(ticket.description) ?? ticket.name,
    path: source.pathOf(ticket.name),
    description,
    acceptanceCriteria: joined(file, "acceptance_criteria", ticket, file?.markdown.acceptanceCriteria),
    filesToModify: joined(file, "files_to_modify", ticket, file?.markdown.filesToModify),
    dependsOn: [...new Set(needs.map((need) => need.id))],
    critical: isCritical([ticket.critical, file?.front?.fields.critical, file?.markdown.critical?.value]),
    text,
    source: ticket,
  };
  const problems = file === undefined ? [] : fileProblems(source, file, ticket.name);
  if (text === "" && item.acceptanceCriteria.length === 0) {
    const message = `the ticket ${ticket.name} has no description: add one here or in ${item.path}`;
    problems.push({ file: path, line: at(), message });
  }
  const notes = (file?.markdown.remarks ?? []).map(
    (remark) => `${file?.path}:${remark.line}: unknown dependency, ignored: ${remark.text}`,
  );
  return { item, needs, problems, notes };
}

function needsIn(fields: Partial<EpicTicket>, file: string, at: (...keys: (string | number)[]) => number): Need[] {
  return (["dependencies", "depends_on"] as const).flatMap((key) =>
    (fields[key] ?? []).map((id, n) => ({ id, file, line: at(key, n) })),
  );
}

type Lists = "acceptance_criteria" | "files_to_modify";

function joined(
  file: TicketFile | undefined,
  key: Lists,
  ticket: EpicTicket,
  placed: readonly NumberedText[] = [],
): string[] {
  const all = [...(ticket[key] ?? []), ...(file?.front?.fields[key] ?? []), ...placed.map(({ text }) => text)];
  const seen = new Set<string>();
  return all
    .map((text) => text.trim())
    .filter((text) => text !== "" && !seen.has(words(text)) && seen.add(words(text)));
}

/** Two spellings of one sentence are one criterion. */
function words(text: string): string {
  return (
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, " ")
      .trim() || text
  );
}

/** A ticket that says nothing about it is critical: no failure is passed over by accident. */
function isCritical(said: (boolean | undefined)[]): boolean {
  const known = said.filter((one) => one !== undefined);
  return known.length === 0 || known.includes(true);
}

function fileProblems({ epic }: EpicSource, { path, markdown, front }: TicketFile, name: string): EpicProblem[] {
  const named =
    front?.fields.name === undefined ? [] : [{ text: front.fields.name, line: front.lineOf(["name"]), sure: true }];
  const others = new Set(epic.tickets.map((ticket) => ticket.name));
  const wrong = [...named, ...markdown.names].find(({ text, sure }) => text !== name && (sure || others.has(text)));
  const message = `this file belongs to the ticket ${name}, but its text names the ticket ${wrong?.text}`;
  return [
    ...markdown.problems.map((problem) => ({ file: path, ...problem })),
    ...(wrong === undefined ? [] : [{ file: path, line: wrong.line, message }]),
  ];
}

function nameProblems({ id, path, epic, lineOf }: EpicSource): EpicProblem[] {
  const problems: EpicProblem[] = [];
  const bad = whyBadName(id);
  if (bad !== null)
    problems.push({ file: path, line: 1, message: `${JSON.stringify(id)} is not a valid epic name: ${bad}` });
  const { name, epic: other } = epic;
  if (name !== undefined && other !== undefined && name !== other) {
    problems.push({ file: path, line: lineOf(["epic"]), message: `the epic has two names: ${name} and ${other}` });
  }
  const called = name ?? other ?? id;
  // A name with blanks is a title; one that could be an id has to be the file's.
  if (whyBadName(called) === null && called !== id) {
    const line = lineOf([name === undefined ? "epic" : "name"]);
    problems.push({ file: path, line, message: `the epic is named ${called}, but its file is named ${id}` });
  }
  const first = new Map<string, number>();
  for (const [index, ticket] of epic.tickets.entries()) {
    const line = lineOf(["tickets", index, "name"]);
    const why = whyBadName(ticket.name);
    if (why !== null)
      problems.push({ file: path, line, message: `${JSON.stringify(ticket.name)} is not a valid ticket name: ${why}` });
    // Not every disk tells capitals from small letters.
    const before = first.get(ticket.name.toLowerCase());
    if (before === undefined) first.set(ticket.name.toLowerCase(), line);
    else
      problems.push({
        file: path,
        line,
        message: `two tickets are called ${ticket.name}; the first is on line ${before}`,
      });
  }
  return problems;
}

function unknownDependencies(drafts: readonly Draft[]): EpicProblem[] {
  const ids = new Set(drafts.map(({ item }) => item.id));
  return drafts.flatMap(({ item, needs }) =>
    needs
      .filter((need) => !ids.has(need.id))
      .map(({ id, file, line }) => ({
        file,
        line,
        message: `${item.id} depends on ${id}, which is not a ticket of this epic`,
      })),
  );
}

function circleProblem(drafts: readonly Draft[], circle: readonly string[]): EpicProblem {
  const [from = "", to = ""] = circle;
  const need = drafts.find(({ item }) => item.id === from)?.needs.find(({ id }) => id === to);
  const message = `tickets depend on each other: ${circle.join(" → ")}`;
  return { file: need?.file ?? "", line: need?.line ?? 1, message };
}

const KNOWN_KEYS = [
  "name",
  "description",
  "acceptance_criteria",
  "files_to_modify",
  "dependencies",
  "depends_on",
  "critical",
];

/** The file as it is, below what only the YAML says. */
function textOf(ticket: EpicTicket, file: TicketFile | undefined): string {
  const written = file?.text.trim() ?? "";
  const described = ticket.description?.trim() ?? "";
  const more = Object.fromEntries(Object.entries(ticket).filter(([key]) => !KNOWN_KEYS.includes(key)));
  return [written.includes(described) ? "" : described, Object.keys(more).length === 0 ? "" : outline(more), written]
    .filter(Boolean)
    .join("\n\n");
}

/** What all tickets share: everything of the epic but its tickets. */
function coordinationOf(epic: Epic): string {
  const { name, epic: other, tickets, rollback_on_failure, ...shared } = epic;
  return Object.keys(shared).length === 0 ? "" : outline(shared);
}

function firstLine(text: string | undefined): string | undefined {
  return text?.trim().split("\n")[0]?.slice(0, 120) || undefined;
}
