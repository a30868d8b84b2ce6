import { createHash } from "node:crypto";
import { closeSync, mkdirSync, openSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StringDecoder } from "node:string_decoder";
import type { AgentEvent, Clock } from "@anneal/adapters";
import type { BlobStore } from "./blobs.ts";
import { type GitFolder, logFolderOf, makeFolder, TEMPORARY } from "./log-folder.ts";

/** Which run of which part of a loop. */
export interface RunName {
  loop: string;
  role: string;
  turn: number;
}

/** The record of one run: lines of JSON that can be read while they are written. */
export interface Recording {
  path: string;
  /** `by` is the agent: several may work in one run. */
  add(by: string, event: AgentEvent): void;
  /** Puts the record among the blobs and gives its hash; null where nothing was seen. */
  end(): string | null;
  /** Forgets the record. */
  drop(): void;
}

export interface Transcripts {
  /** Begins anew where a try that was cut off left something. */
  begin(run: RunName): Recording;
  /** Removes the records of runs that a kill cut off. Only the owner may call this, before anything runs. */
  clear(): void;
}

/** More than this is no use to anybody, and would fill the disk: the record says that it stops there. */
const LONGEST_BYTES = 256 * 1024 * 1024;

export function openTranscripts(
  repo: GitFolder,
  {
    clock,
    blobs,
    longest = LONGEST_BYTES,
  }: { clock: Pick<Clock, "now">; blobs: Pick<BlobStore, "adopt">; longest?: number },
): Transcripts {
  const location = logFolderOf(repo);
  const folder = location.running;
  return {
    begin(run) {
      makeFolder(location);
      mkdirSync(folder, { recursive: true });
      const path = join(folder, fileOf(run));
      const fd = openSync(path, "w");
      const hash = createHash("sha256");
      let size = 0;
      const write = (line: object) => {
        const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
        hash.update(bytes);
        size += bytes.length;
        writeFileSync(fd, bytes);
      };
      const drop = () => {
        closeSync(fd);
        rmSync(path, { force: true });
        return null;
      };
      return {
        path,
        add(by, event) {
          if (size > longest) return;
          write({ at: clock.now(), by, ...event });
          if (size > longest)
            write({ at: clock.now(), kind: "note", text: "The transcript is cut here: it is too long." });
        },
        end() {
          if (size === 0) return drop();
          closeSync(fd);
          return blobs.adopt(path, { hash: hash.digest("hex"), size });
        },
        drop,
      };
    },
    clear: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** One thing that was seen of an agent. */
export type RecordedLine = AgentEvent & { at: number; by: string };

const PART_BYTES = 1024 * 1024;

/** A kept record, line by line, however long it is. */
export function* transcriptLines(blobs: Pick<BlobStore, "getRange">, hash: string): Generator<RecordedLine> {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  for (let offset = 0; ; offset += PART_BYTES) {
    const part = blobs.getRange(hash, offset, PART_BYTES);
    const lines = (rest + decoder.write(part)).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield JSON.parse(line);
    if (part.length < PART_BYTES) return;
  }
}

export function runningTranscript(repo: GitFolder, run: RunName): string {
  return join(logFolderOf(repo).running, fileOf(run));
}

/** The names of branches are longer than those of files may be, and differ in letters that cannot be part of one. */
function fileOf({ loop, role, turn }: RunName): string {
  const readable = loop.replace(/[^A-Za-z0-9._-]/g, "-").slice(0, 60);
  const hash = createHash("sha256").update(loop).digest("hex").slice(0, 8);
  return `${readable}-${hash}.${role}-${turn}.jsonl${TEMPORARY}`;
}
