import { errorMessage } from "@anneal/types/unknown";

/** Errors whose message says what to do; everything else is a surprise. */
const KNOWN = [
  "UsageError",
  "GitError",
  "NothingToReview",
  "StoreError",
  "NewerEventError",
  "InvalidFeatureId",
  "MissingFeature",
  "DamagedFile",
  "MissingFile",
  "InvalidChange",
  "VersionConflict",
  "FileBusy",
  "NotWritten",
  "OutsideJail",
  "ForgeError",
  "RateLimited",
];

/** The exit code behind an error: nothing to judge is inconclusive, everything a person can mend is a usage error. */
export function exitCodeOf(error: unknown): number {
  if (named(error, "NothingToReview")) return 3;
  if (named(error, "AbortError")) return 130;
  return known(error) ? 2 : 3;
}

export function messageOf(error: unknown, command: string): string {
  if (named(error, "AbortError")) return "stopped";
  const message = errorMessage(error).split("\n")[0];
  // Node goes on with advice whose quotes do not end.
  if (aboutArguments(error)) return `${message?.replace(/\. To specify .*$|\.$/, "")}; see anneal ${command} --help`;
  return known(error) ? `${message}` : `unexpected: ${message} (ANNEAL_DEBUG=1 shows more)`;
}

function known(error: unknown): boolean {
  return KNOWN.some((name) => named(error, name)) || aboutArguments(error);
}

function aboutArguments(error: unknown): boolean {
  return code(error).startsWith("ERR_PARSE_ARGS");
}

function named(error: unknown, name: string): boolean {
  return error instanceof Error && error.name === name;
}

function code(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
