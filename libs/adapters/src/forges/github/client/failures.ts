import { ForgeError, type ForgeErrorKind, RateLimited, redact } from "../../contract/errors.ts";
import { fieldsOf } from "./fields.ts";

/** An answer that says no. */
export interface RefusalAnswer {
  status: number;
  headers: Headers;
  /** The body as JSON, null where it is none. */
  body: unknown;
}

export interface RefusedRequest {
  host: string;
  /** Whom it is about, for messages: `owner/repo`. */
  repository: string;
  /** Milliseconds since 1970. */
  now: number;
}

/** What GitHub advises where it names no time. */
const LIMITED_MS = 60_000;

/** GitHub said no. Where that is expected, its status and its words decide what it means. */
export class ForgeRefusal extends ForgeError {
  readonly status: number;
  readonly said: string;

  constructor(kind: ForgeErrorKind, message: string, { status, said }: { status: number; said: string }) {
    super(kind, said === "" ? message : `${message} (${said})`);
    this.status = status;
    this.said = redact(said);
  }
}

/** A refusal as an error, with what to do. The forge's own words come last: they may be anything. */
export function refusalError(refusal: RefusalAnswer, { host, repository, now }: RefusedRequest): ForgeError {
  const { status } = refusal;
  const said = wordsOf(refusal.body);
  const limited = limitedUntil(refusal, said, now);
  if (limited !== null) return new RateLimited(limited);
  const refused = (kind: ForgeErrorKind, message: string) => new ForgeRefusal(kind, message, { status, said });
  if (status === 401)
    return refused("unauthenticated", `${host} does not accept the token: run gh auth login, or renew it`);
  if (status === 403) return refused("forbidden", `the token may not do this in ${repository}: give it more rights`);
  if (status === 404 || status === 410) {
    return refused("not-found", `${repository} does not have this, or the token may not see it`);
  }
  if (status >= 500) return refused("unavailable", `${host} answered ${status}: try again later`);
  if (status >= 300 && status < 400) {
    return refused("invalid", `${repository} has moved: update the remote with git remote set-url`);
  }
  return refused("invalid", `${host} refused the request with ${status}`);
}

/** Until when no request is wanted, in milliseconds since 1970; null where this is no limit. */
function limitedUntil({ status, headers }: RefusalAnswer, said: string, now: number): number | null {
  if (status !== 403 && status !== 429) return null;
  const after = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+$/.test(after)) return now + Number(after) * 1_000;
  const date = Date.parse(after);
  if (!Number.isNaN(date)) return Math.max(now, date);
  const reset = Number(headers.get("x-ratelimit-reset") ?? Number.NaN);
  if (headers.get("x-ratelimit-remaining") === "0" && reset > 0) return reset * 1_000;
  return status === 429 || /rate limit/i.test(said) ? now + LIMITED_MS : null;
}

/** What GitHub says about a refusal: a sentence, and one for each field that is wrong. */
export function wordsOf(body: unknown): string {
  const { message, errors } = fieldsOf(body);
  const details = (Array.isArray(errors) ? errors : []).map((error: unknown) => {
    if (typeof error === "string") return error;
    const { message: why, resource, field, code } = fieldsOf(error);
    const parts = typeof why === "string" ? [field, why] : [resource, field, code];
    return parts.filter((part) => typeof part === "string").join(" ");
  });
  return [typeof message === "string" ? message : "", ...details]
    .filter((part) => part !== "")
    .join(": ")
    .slice(0, 500);
}
