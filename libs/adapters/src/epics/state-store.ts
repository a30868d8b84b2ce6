import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { reviewReportPath, whyBadName } from "@anneal/core/epics";
import { sanitiseDeep } from "@anneal/core/write";
import { sweepTemporaries, writeAtomic } from "@anneal/system/files/atomic";
import { OutsideJail } from "@anneal/system/files/errors";
import { realTarget } from "@anneal/system/files/jail";
import { EpicState, ReviewReport } from "@anneal/types";
import { type JsonContent, type ReadResult, readJson, type Schema, updateJson } from "../files/json-file.ts";

/** What an epic leaves next to its YAML: epic-state.json, and the full report of every review. */
export interface EpicStore {
  /** Of epic-state.json. */
  path: string;
  /** A file from before there were reviews is read like any other; a damaged one comes with its error. */
  read(): Promise<ReadResult<EpicState>>;
  /**
   * Applies the change to the freshest content, keeping every byte that it does not touch.
   * `null` leaves the file; where there is none, the change gets `whenMissing`. A damaged file is never overwritten.
   */
  update(
    change: (state: EpicState) => EpicState | null,
    options?: { whenMissing?: EpicState },
  ): Promise<JsonContent<EpicState> & { changed: boolean }>;
  writeReport(report: ReviewReport): Promise<void>;
  readReport(ticketId: string, attempt: number): Promise<ReadResult<ReviewReport>>;
  /** Removes what killed processes left half-done; to be called at start. */
  sweep(): Promise<void>;
}

/** `file` is the epic's YAML, `root` the top of the project, which nothing is written outside of. */
export function epicStore(file: string, epicId: string, root: string): EpicStore {
  const folder = dirname(file);
  const path = join(folder, "artifacts", "epic-state.json");
  const schema = stateOf(epicId);
  const lock = join(root, ".automaker", "anneal-files.lock");
  const reportPath = (ticketId: string, attempt: number) => {
    const why = whyBadName(ticketId);
    if (why !== null) throw new OutsideJail(ticketId, why);
    return join(folder, reviewReportPath(ticketId, attempt));
  };
  return {
    path,
    read: () => readJson(path, schema, { jail: root }),
    async update(change, options = {}) {
      await makeFolders(path, root);
      await mkdir(dirname(lock), { recursive: true });
      return updateJson(path, schema, change, { jail: root, lock, ...options });
    },
    async writeReport(report) {
      const target = reportPath(report.ticket_id, report.revision_count);
      await makeFolders(path, root);
      await makeFolders(target, root);
      await writeAtomic(target, `${JSON.stringify(sanitiseDeep(report), null, 2)}\n`, { jail: root });
    },
    readReport: (ticketId, attempt) => readJson(reportPath(ticketId, attempt), ReviewReport, { jail: root }),
    async sweep() {
      await Promise.all([sweepTemporaries(dirname(path)), sweepTemporaries(join(dirname(path), "reviews"))]);
    },
  };
}

/** Makes the folder of a file, and refuses it where a link has led out of the project. */
async function makeFolders(path: string, root: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  realTarget(path, root);
}

const NEWEST = 1;

/** The state of just this epic, in a shape that we know: what a newer version wrote is left alone. */
function stateOf(epicId: string): Schema<EpicState> {
  const known = EpicState.pick({}).refine((state) => !isNewer(state), {
    path: ["schema_version"],
    message: `written by a newer version; this one knows ${NEWEST}`,
  });
  const own = EpicState.refine((state) => state.epic_id === epicId, {
    path: ["epic_id"],
    message: `expected ${JSON.stringify(epicId)}, the epic in this folder`,
  });
  return {
    safeParse(value) {
      const version = known.safeParse(value);
      return version.success ? own.safeParse(value) : version;
    },
  };
}

function isNewer(state: Record<string, unknown>): boolean {
  const version = state.schema_version ?? NEWEST;
  return version !== NEWEST;
}
