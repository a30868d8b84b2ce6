import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";
import { wavesOf } from "@anneal/core";
import { type EpicItem, type EpicProblem, ticketBranch } from "@anneal/core/epics";
import type { EpicState } from "@anneal/types";
import { positionOfPath } from "../files/json-text.ts";
import { EPIC_FILE, readEpic } from "./read-epic.ts";
import { epicStore } from "./state-store.ts";

/** An epic that was found, and what was understood of it. */
export interface FoundEpic {
  /** From the top of the project. */
  file: string;
  /** Null where it cannot be read. */
  epic: EpicItem | null;
  counts: EpicCounts | null;
  /** Its epic-state.json; null where there is no such file or it cannot be read. */
  state: EpicState | null;
  /** Where something stands in epic-state.json, by its path there. */
  stateAt(path: readonly string[]): { file: string; line: number };
  problems: EpicProblem[];
  notes: string[];
}

export interface EpicCounts {
  tickets: number;
  critical: number;
  dependencies: number;
  criteria: number;
  waves: number;
  /** Tickets that an earlier run completed. */
  completed: number;
}

/** The epics of a project: `.epics/{epic}/{epic}.epic.yaml`, sorted by path. Links are not followed. */
export async function findEpics(root: string): Promise<FoundEpic[]> {
  const top = resolve(root);
  const files = await epicFiles(join(top, ".epics"));
  const found: FoundEpic[] = [];
  for (const file of files) found.push(await understood(top, file));
  return found.map((one) => ({ ...one, problems: [...one.problems, ...clashes(one, found)] }));
}

async function understood(root: string, path: string): Promise<FoundEpic> {
  const file = relative(root, path).split(sep).join("/");
  const read = await readEpic(path, { root });
  const store = epicStore(path, read.ok ? read.epic.id : "", root);
  const stateFile = relative(root, store.path).split(sep).join("/");
  if (!read.ok) {
    const stateAt = () => ({ file: stateFile, line: 1 });
    return { file, epic: null, counts: null, state: null, stateAt, problems: read.problems, notes: [] };
  }
  const { epic, notes } = read;
  const state = await store.read();
  const completed = state.ok ? epic.tickets.filter(({ id }) => isCompleted(state.value.tickets, id)).length : 0;
  const damaged = state.ok || state.reason === "missing" ? [] : [stateProblem(stateFile, store.path, state)];
  return {
    file,
    epic,
    counts: { ...countsOf(epic), completed },
    state: state.ok ? state.value : null,
    stateAt: (keys) => ({ file: stateFile, line: positionOfPath(state.raw, keys).line }),
    problems: damaged,
    notes,
  };
}

function countsOf({ tickets }: EpicItem): Omit<EpicCounts, "completed"> {
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  return {
    tickets: tickets.length,
    critical: tickets.filter(({ critical }) => critical).length,
    dependencies: sum(tickets.map(({ dependsOn }) => dependsOn.length)),
    criteria: sum(tickets.map(({ acceptanceCriteria }) => acceptanceCriteria.length)),
    waves: wavesOf(tickets).length,
  };
}

function isCompleted(tickets: Record<string, { status: string }>, id: string): boolean {
  return Object.hasOwn(tickets, id) && tickets[id]?.status === "completed";
}

/** The error begins with path, line and column, which a problem has apart. */
function stateProblem(file: string, path: string, { error }: { error: string }): EpicProblem {
  const place = /^(\d+):\d+: (.*)$/s.exec(error.startsWith(`${path}:`) ? error.slice(path.length + 1) : "");
  const ways = "fix the file, restore an older copy, or move it away so that Anneal writes it again from its log";
  return { file, line: Number(place?.[1] ?? 1), message: `${place?.[2] ?? error}; ${ways}` };
}

/** Tickets of two epics that would share a branch, and epics that would share a folder. */
function clashes({ file, epic }: FoundEpic, all: readonly FoundEpic[]): EpicProblem[] {
  if (epic === null) return [];
  const folder = file.slice(0, file.lastIndexOf("/"));
  return all
    .filter((other) => other.file < file)
    .flatMap((other): EpicProblem[] => {
      const shared = epic.tickets.filter(({ id }) => other.epic?.tickets.some((one) => one.id === id));
      const branches = shared.map(
        ({ id }) =>
          `this epic and ${other.file} both have a ticket with the branch ${ticketBranch(id)}: rename one of the tickets`,
      );
      const state = other.file.startsWith(`${folder}/`)
        ? [`this epic would share artifacts/epic-state.json with ${other.file}: move one of them to another folder`]
        : [];
      return [...state, ...branches].map((message) => ({ file, line: 1, message }));
    });
}

async function epicFiles(folder: string): Promise<string[]> {
  const epics = await entries(folder);
  const folders = epics.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
  const inside = await Promise.all([folder, ...folders].map(async (one) => ({ one, found: await entries(one) })));
  return inside
    .flatMap(({ one, found }) =>
      found.filter((entry) => entry.isFile() && EPIC_FILE.test(entry.name)).map(({ name }) => join(one, name)),
    )
    .sort();
}

function entries(folder: string): Promise<Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch(() => []);
}
