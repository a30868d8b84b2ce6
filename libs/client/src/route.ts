import type { z } from "zod";

/** A route of the server, in the shapes that it takes and gives. */
export interface ServerRoute<Path extends string = string, Query = unknown, Body = unknown, Answer = unknown> {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** With its parameters as `:name`. */
  path: Path;
  query?: z.ZodType<unknown, Query>;
  body?: z.ZodType<unknown, Body>;
  answer: z.ZodType<Answer>;
}

/** The names after colons in a path. */
export type PathParams<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | PathParams<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** What has to be given to ask a route, no more and no less. */
export type Input<R extends ServerRoute> =
  R extends ServerRoute<infer Path, infer Query, infer Body, unknown>
    ? ([PathParams<Path>] extends [never] ? unknown : { params: Record<PathParams<Path>, string> }) &
        (unknown extends Query ? unknown : { query?: Query }) &
        (unknown extends Body ? unknown : undefined extends Body ? { body?: Body } : { body: Body }) &
        Options
    : never;

export interface Options {
  /** The ETag of what is to be changed. */
  ifMatch?: string;
  signal?: AbortSignal;
}

export type AnswerOf<R extends ServerRoute> =
  R extends ServerRoute<string, unknown, unknown, infer Answer> ? Answer : never;

/** Describes a route, so that asking it is checked. */
export function route<const Path extends string, Query, Body, Answer>(
  described: ServerRoute<Path, Query, Body, Answer>,
): ServerRoute<Path, Query, Body, Answer> {
  return described;
}

/** The address that is asked: parameters in place, nothing empty in the query. */
export function addressOf(path: string, params: Record<string, string> = {}, query: object = {}): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value != null) asked.set(name, String(value));
  return asked.size === 0 ? filled : `${filled}?${asked}`;
}
