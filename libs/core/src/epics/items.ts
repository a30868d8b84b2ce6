import type { Epic, EpicTicket } from "@anneal/types";

/** An epic as it is run: its YAML and its ticket files read together. */
export interface EpicItem {
  /** Names its branch, its state and its folder. */
  id: string;
  title: string;
  /** Of its YAML file, from the top of the project. */
  path: string;
  /** What its tickets have to keep to together, as builders and reviewers read it. */
  coordination: string;
  /** Whether nothing is merged once the epic has failed. */
  rollbackOnFailure: boolean;
  tickets: TicketItem[];
  /** The YAML as it was written, unknown keys included. */
  source: Epic;
}

/** One ticket of an epic. */
export interface TicketItem {
  id: string;
  title: string;
  /** Of its markdown file, from the top of the project; also where there is no file yet. */
  path: string;
  description: string;
  acceptanceCriteria: string[];
  filesToModify: string[];
  /** Ids of tickets of the same epic. */
  dependsOn: string[];
  critical: boolean;
  /** All that was written about it, for builders and reviewers. */
  text: string;
  /** As the epic's YAML lists it, unknown keys included. */
  source: EpicTicket;
}

/** A ticket as builders and reviewers read it: all that was written, and what its lists say beyond that. */
export function ticketText({ text, acceptanceCriteria, filesToModify }: TicketItem): string {
  const lists: [string, string[]][] = [
    ["Acceptance criteria", acceptanceCriteria],
    ["Files to modify", filesToModify],
  ];
  const missing = lists.flatMap(([name, entries]) => {
    const more = entries.filter((entry) => !text.includes(entry));
    return more.length === 0 ? [] : [`${name}:\n${more.map((entry) => `- ${entry}`).join("\n")}`];
  });
  return [text, ...missing].filter(Boolean).join("\n\n");
}

/** Something that keeps an epic from being run, where it stands. */
export interface EpicProblem {
  file: string;
  /** Counted from one. */
  line: number;
  message: string;
}

export function problemText({ file, line, message }: EpicProblem): string {
  return `${file}:${line}: ${message}`;
}

export function ticketBranch(id: string): string {
  return `ticket/${id}`;
}

export function epicBranch(id: string): string {
  return `epic/${id}`;
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*$/;
const MAX_NAME = 100;

/** Why a text cannot name an epic or a ticket, or null: names become branches, folders and files. */
export function whyBadName(name: string): string | null {
  if (name.length > MAX_NAME) return `it is longer than ${MAX_NAME} characters`;
  if (!NAME.test(name)) return "a name has letters, digits, - and _, single dots, and starts with a letter or digit";
  // Git keeps this ending for its own lock files.
  return name.toLowerCase().endsWith(".lock") ? "git allows no name that ends in .lock" : null;
}
