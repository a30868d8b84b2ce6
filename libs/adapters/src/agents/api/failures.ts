import { type Trouble, troubleOfStatus } from "../cli/trouble.ts";

/** What a provider answered instead of an answer, as far as it is known. */
export interface Refusal {
  /** The HTTP status. */
  status?: number | undefined;
  /** The provider's own word for the kind of error. */
  type?: string | null | undefined;
  message: string;
  retryAfterMs?: number | null;
}

/** Sorts a provider's error: something to mend, something to wait for, or simply failed. `mend` says how to sign in. */
export function failedBy({ status, type, message, retryAfterMs = null }: Refusal, mend: string): Failure {
  const error = message.trim() || `the provider answered ${status ?? "with an error"}`;
  const word = type ?? "";
  if (status === 401 || status === 403 || SIGN_IN.has(word)) return { error: `${error} ${mend}`, lasting: true };
  if (status === 402 || NOTHING_LEFT.test(`${word} ${error}`))
    return { error: `${error} Top up the account, or use another one.`, lasting: true };
  if (status === 404 || NOT_THERE.has(word))
    return { error: `${error} Check the name of the model and the base URL.`, lasting: true };
  if (LATER.has(word)) return { error, rateLimited: { retryAfterMs } };
  return { error, ...(status === undefined ? {} : troubleOfStatus(status, retryAfterMs)) };
}

export type Failure = Trouble & { error: string };

const NOT_THERE = new Set(["not_found_error", "model_not_found"]);
const SIGN_IN = new Set(["authentication_error", "permission_error", "invalid_api_key"]);
const NOTHING_LEFT = /insufficient_quota|credit balance is too low|billing_error|billing_hard_limit/i;
const LATER = new Set([
  ...["rate_limit_error", "overloaded_error", "api_error", "timeout_error"],
  ...["rate_limit_exceeded", "server_error", "server_is_overloaded", "slow_down"],
]);

/** When to come back, as the headers say it: in milliseconds, in seconds, or as a date. */
export function retryAfterMs(headers: Headers | undefined, now = Date.now()): number | null {
  const exact = Number.parseFloat(headers?.get("retry-after-ms") ?? "");
  if (exact >= 0) return exact;
  const retryAfter = headers?.get("retry-after") ?? "";
  if (/^\s*\d+(\.\d+)?\s*$/.test(retryAfter)) return Math.round(Number(retryAfter) * 1_000);
  const date = Date.parse(retryAfter);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

/** Reads an error of either SDK, without loading them: both give status, headers, and the provider's own words. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (!(error instanceof Error)) return undefined;
  if (/^APIConnection/.test(error.constructor.name)) {
    const cause = error.cause instanceof Error ? ` ${causeOf(error.cause)}` : "";
    return { type: "server_error", message: `the provider cannot be reached: ${error.message}${cause}` };
  }
  if (!("status" in error && "headers" in error)) return undefined;
  const { status, headers, type, code } = error as Error & Record<string, unknown>;
  const word = [code, type].find((one) => typeof one === "string");
  return {
    status: typeof status === "number" ? status : undefined,
    type: word as string | undefined,
    message: error.message,
    retryAfterMs: retryAfterMs(headers instanceof Headers ? headers : undefined),
  };
}

/** `fetch` hides the reason in the cause of its error. */
function causeOf(error: Error): string {
  return error.cause instanceof Error ? causeOf(error.cause) : error.message;
}
