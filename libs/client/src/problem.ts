import type { ApiError } from "@anneal/types";

/** What the server said, or that it could not be asked, or that its answer is not what it should be. */
export type ProblemCode = ApiError["code"] | "unreachable" | "unreadable";

/** A request that failed, and why. */
export class ApiProblem extends Error {
  override readonly name = "ApiProblem";
  readonly code: ProblemCode;
  /** 0 where there was no answer. */
  readonly status: number;
  /** For bad input: where, and what is allowed there. */
  readonly problems: NonNullable<ApiError["problems"]>;
  /** What the thing is now, where somebody else has changed it. */
  readonly etag: string | null;
  /** The whole answer. */
  readonly body: unknown;

  constructor(
    code: ProblemCode,
    message: string,
    {
      status = 0,
      problems = [],
      etag = null,
      body = null,
      cause,
    }: {
      status?: number;
      problems?: ApiProblem["problems"];
      etag?: string | null;
      body?: unknown;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause });
    this.code = code;
    this.status = status;
    this.problems = problems;
    this.etag = etag;
    this.body = body;
  }
}

/** The problem that a refusal tells. */
export function problemIn(status: number, etag: string | null, body: unknown): ApiProblem {
  if (!isRefusal(body)) return new ApiProblem("unreadable", `the server answered ${status}`, { status, etag, body });
  const { code, error, problems = [] } = body;
  return new ApiProblem(code, error, { status, problems, etag, body });
}

// By hand: the browser's first page does without the schemas.
function isRefusal(body: unknown): body is ApiError {
  if (typeof body !== "object" || body === null || !("code" in body) || !("error" in body)) return false;
  return typeof body.code === "string" && typeof body.error === "string";
}
