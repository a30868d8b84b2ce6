import type { ApiError } from "@anneal/types";

export const STATUS: Record<ApiError["code"], number> = {
  "bad-request": 400,
  unauthorised: 401,
  forbidden: 403,
  "not-found": 404,
  conflict: 409,
  stale: 412,
  "too-large": 413,
  "too-many": 429,
  internal: 500,
  unavailable: 503,
};

/** A request that cannot be done, and why; the error handler makes the answer of it. */
export class RequestProblem extends Error {
  override readonly name = "Problem";
  readonly code: ApiError["code"];
  readonly problems: ApiError["problems"];
  /** Of what is there now, where the client had something older. */
  readonly etag: string | undefined;

  constructor(code: ApiError["code"], message: string, problems?: ApiError["problems"], etag?: string) {
    super(message);
    this.code = code;
    this.problems = problems;
    this.etag = etag;
  }

  get status(): number {
    return STATUS[this.code];
  }

  get body(): ApiError {
    const { code, message: error, problems, etag } = this;
    const more = { ...(problems === undefined ? {} : { problems }), ...(etag === undefined ? {} : { etag }) };
    return { success: false, error, code, ...more };
  }
}

/** What becomes of an error that nobody foresaw: nothing of it leaves the server. */
export function problemOf(error: unknown): RequestProblem {
  if (error instanceof RequestProblem) return error;
  const status = typeof error === "object" && error !== null && "statusCode" in error ? error.statusCode : undefined;
  const code = CODES[Number(status)];
  if (code !== undefined && error instanceof Error) return new RequestProblem(code, error.message);
  return new RequestProblem("internal", "internal error; see the server's log");
}

const CODES: Record<number, ApiError["code"]> = {
  400: "bad-request",
  404: "not-found",
  413: "too-large",
  415: "bad-request",
  429: "too-many",
};
