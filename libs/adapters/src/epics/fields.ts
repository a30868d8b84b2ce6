import type { EpicProblem } from "@anneal/core/epics";
import { describeIssues } from "@anneal/types";
import type { YamlText } from "./yaml-text.ts";

/** An epic's keys as its schema knows them: a key without a value is as good as none. */
export function epicFields(value: Record<string, unknown>): Record<string, unknown> {
  const epic = withTexts(withoutNulls(value));
  const { tickets = [] } = epic;
  return { ...epic, tickets: Array.isArray(tickets) ? tickets.map(ticketFields) : tickets };
}

/** A ticket's keys as its schema knows them; some real files say `id` instead of `name`. */
export function ticketFields(ticket: unknown): unknown {
  if (typeof ticket !== "object" || ticket === null || Array.isArray(ticket)) return ticket;
  const fields = withTexts(withoutNulls(ticket));
  return fields.name === undefined && fields.id !== undefined ? { name: fields.id, ...fields } : fields;
}

const TEXT_LISTS = ["objectives", "constraints", "acceptance_criteria", "files_to_modify"];

/** A sentence with a colon is a pair in YAML: in a list of sentences it is a sentence again. */
function withTexts(fields: Record<string, unknown>): Record<string, unknown> {
  const lists = TEXT_LISTS.filter((key) => Array.isArray(fields[key])).map((key) => [
    key,
    [fields[key]].flat().map(asText),
  ]);
  return { ...fields, ...Object.fromEntries(lists) };
}

function asText(entry: unknown): unknown {
  if (typeof entry !== "object" || entry === null) return entry;
  const [[key, value] = [], ...more] = Object.entries(entry);
  const isPair = key !== undefined && more.length === 0 && ["string", "number", "boolean"].includes(typeof value);
  return isPair ? `${key}: ${value}` : entry;
}

function withoutNulls(value: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== null));
}

type SchemaError = Parameters<typeof describeIssues>[0];

/** One problem for each value of a wrong type, at its own line. */
export function typeProblems(
  file: string,
  { lineOf }: Pick<Extract<YamlText, { ok: true }>, "lineOf">,
  error: SchemaError,
): EpicProblem[] {
  const messages = describeIssues(error);
  const problems = error.issues.map((issue, index) => {
    const message = messages[index] ?? issue.message;
    const path = issue.path.filter((key) => typeof key !== "symbol");
    return { file, line: lineOf(path), message: message + hintFor(message) };
  });
  return problems.sort((a, b) => a.line - b.line);
}

// `- Works: always` is an object in YAML, which nobody means.
function hintFor(message: string): string {
  if (message.endsWith("expected string, received object")) return ": quote a text that contains a colon";
  return message.endsWith("expected boolean, received string") ? ": write true or false" : "";
}
