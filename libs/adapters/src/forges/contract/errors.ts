import { errorMessage } from "@anneal/types/unknown";
export type ForgeErrorKind =
  | "rate-limited"
  | "unauthenticated"
  | "forbidden"
  | "not-found"
  | "not-ours"
  | "head-moved"
  | "invalid"
  | "unavailable"
  | "damaged"
  | "no-forge";

/** What went wrong at a forge, in one line that also says what to do, and without anything secret. */
export class ForgeError extends Error {
  override readonly name: string = "ForgeError";
  readonly kind: ForgeErrorKind;

  constructor(kind: ForgeErrorKind, message: string, options: { cause?: unknown } = {}) {
    super(redact(message), options.cause === undefined ? {} : { cause: withoutSecrets(options.cause) });
    this.kind = kind;
  }
}

/** The forge wants to be left alone until then. Nothing was done. */
export class RateLimited extends ForgeError {
  override readonly name = "RateLimited";
  /** Milliseconds since 1970. */
  readonly retryAt: number;

  constructor(retryAt: number) {
    super(
      "rate-limited",
      `the forge accepts no more requests for now: try again after ${new Date(retryAt).toISOString()}`,
    );
    this.retryAt = retryAt;
  }
}

/** Whether the very same call may succeed later without anybody doing anything. */
export function isPassing(error: unknown): boolean {
  return error instanceof ForgeError && (error.kind === "rate-limited" || error.kind === "unavailable");
}

const SECRETS: readonly [RegExp, string][] = [
  // user:password@host in an address
  [/([a-z][a-z0-9+.-]*:\/\/)[^\s/@]+@/gi, "$1"],
  [/\b(?:gh[pousr]_|github_pat_|glpat-|xox[abprs]-)[A-Za-z0-9_-]+/g, "[redacted]"],
  [
    /((?:authorization|token|password|secret)["']?\s*[:=]\s*["']?)(?:(?:bearer|basic|token)\s+)?[^\s"',;&]+/gi,
    "$1[redacted]",
  ],
  [/\b(bearer|basic)\s+[A-Za-z0-9+/._~=-]{8,}/gi, "$1 [redacted]"],
];

/** Text on one line, without addresses that carry passwords, tokens and authorisation headers. */
export function redact(text: string): string {
  const clean = SECRETS.reduce((done, [pattern, instead]) => done.replace(pattern, instead), text);
  return clean.replace(/[\r\n]+/g, " ").trim();
}

/** A cause often is a whole request with its headers: only its words are kept. */
function withoutSecrets(cause: unknown): Error {
  return new Error(redact(errorMessage(cause)));
}
