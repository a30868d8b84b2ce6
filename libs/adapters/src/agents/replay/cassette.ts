import { randomUUID } from "node:crypto";
import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { AgentRun, Role } from "../../ports.ts";
import type { FileEdit } from "../scripted/edits.ts";
import { editShape, roleShape, usageShape } from "../scripted/format.ts";
import {
  anything,
  count,
  listOf,
  oneOf,
  readJson,
  record,
  ShapeError,
  text,
  type ValueReader,
} from "../scripted/shape.ts";

/** One recorded run: what the agent said and which files it changed. */
export interface RecordedRun {
  role: Role;
  /** For a second request in the turn of the run before. */
  again?: "rulings" | "form" | "same" | "approval";
  /** SHA-256 of the prompt; the prompt itself may hold private code and is not kept. */
  promptHash: string;
  status: Exclude<AgentRun["status"], "cancelled">;
  text: string;
  structured?: unknown;
  error?: string;
  usage: AgentRun["usage"];
  model?: string;
  edits: FileEdit[];
}

/** The runs of one agent, in the order in which they ended. */
export interface Cassette {
  version: number;
  agent: string;
  runs: RecordedRun[];
}

export const CASSETTE_VERSION = 1;

/** Reads a cassette; one that is damaged or from another version is a ShapeError. */
export async function loadCassette(path: string): Promise<Cassette> {
  const json = await readFile(path, "utf8").catch((cause: unknown) => {
    throw new ShapeError(`${path}: the cassette cannot be read; record one first`, { cause });
  });
  const cassette = readJson(json, cassetteShape, "cassette", path);
  if (cassette.version !== CASSETTE_VERSION) {
    throw new ShapeError(
      `${path}: version ${cassette.version} is not known here, only ${CASSETTE_VERSION}; record it again`,
    );
  }
  return cassette;
}

/** Writes a cassette so that a reader sees either the old one or the new one, never a part. */
export async function saveCassette(path: string, cassette: Cassette): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const temporary = join(dirname(path), `.cassette-${randomUUID()}`);
  try {
    const file = await open(temporary, "wx");
    try {
      await file.writeFile(`${JSON.stringify(cassette, null, 2)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
}

const runShape: ValueReader<RecordedRun> = record(
  {
    role: roleShape,
    promptHash: text,
    status: oneOf<RecordedRun["status"]>("finished", "failed", "timed-out"),
    text,
    usage: usageShape,
    edits: listOf(editShape),
  },
  { structured: anything, error: text, model: text, again: oneOf("rulings", "form", "same", "approval") },
);

const cassetteShape: ValueReader<Cassette> = record({ version: count, agent: text, runs: listOf(runShape) }, {});
