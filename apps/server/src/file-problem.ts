import { InvalidFeatureId, MissingFeature, TakenFeatureId } from "@anneal/adapters/features";
import {
  DamagedFile,
  FileBusy,
  InvalidChange,
  MissingFile,
  NotWritten,
  OutsideJail,
  VersionConflict,
} from "@anneal/adapters/files";
import type { ApiError } from "@anneal/types";
import { stale } from "./etag.ts";
import { RequestProblem } from "./problem.ts";

type Named = abstract new (...args: never[]) => Error;

const CODES: readonly (readonly [Named, ApiError["code"]])[] = [
  [MissingFeature, "not-found"],
  [MissingFile, "not-found"],
  [InvalidFeatureId, "bad-request"],
  [InvalidChange, "bad-request"],
  [TakenFeatureId, "conflict"],
  [DamagedFile, "conflict"],
  [OutsideJail, "conflict"],
  [FileBusy, "unavailable"],
  [NotWritten, "unavailable"],
];

/** What the files of a project refuse, as an answer; any other error stays what it is. */
export function fileProblem(error: unknown, what: string): unknown {
  if (error instanceof VersionConflict) return stale(what, error.version);
  const code = CODES.find(([named]) => error instanceof named)?.[1];
  return code === undefined || !(error instanceof Error) ? error : new RequestProblem(code, error.message);
}

/** Runs work on files, and tells what they refuse. */
export async function onFiles<T>(what: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw fileProblem(error, what);
  }
}
