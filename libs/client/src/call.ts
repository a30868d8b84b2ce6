import { ApiProblem } from "./problem.ts";
import { type AnswerOf, addressOf, type Input, type Options, type ServerRoute } from "./route.ts";
import { type ServerAddress, said, transport } from "./transport.ts";

export interface CallResult<T> {
  status: number;
  etag: string | null;
  body: T;
}

/** Asks routes. */
export interface Caller {
  /** The answer. */
  call<R extends ServerRoute>(route: R, input: Input<R>): Promise<AnswerOf<R>>;
  /** The answer with its ETag, for what is going to be changed. */
  ask<R extends ServerRoute>(route: R, input: Input<R>): Promise<CallResult<AnswerOf<R>>>;
  /** The answer where it is another than the one with this ETag, else null. */
  askIfChanged<R extends ServerRoute>(route: R, input: Input<R>, etag: string): Promise<CallResult<AnswerOf<R>> | null>;
}

interface Given extends Options {
  params?: Record<string, string>;
  query?: object;
  body?: unknown;
}

export function caller(connection: ServerAddress): Caller {
  const send = transport(connection);
  async function ask(route: ServerRoute, given: Given, ifNoneMatch?: string): Promise<CallResult<unknown> | null> {
    const { params, query, ...asked } = given;
    const headers = {
      accept: "application/json",
      ...(ifNoneMatch === undefined ? {} : { "if-none-match": ifNoneMatch }),
    };
    const response = await send(route.method, addressOf(route.path, params, query), { ...asked, headers });
    return response.status === 304 ? null : read(route, response);
  }
  return {
    async call<R extends ServerRoute>(route: R, input: Input<R>) {
      return (await ask(route, input))?.body as AnswerOf<R>;
    },
    async ask<R extends ServerRoute>(route: R, input: Input<R>) {
      return (await ask(route, input)) as CallResult<AnswerOf<R>>;
    },
    async askIfChanged<R extends ServerRoute>(route: R, input: Input<R>, etag: string) {
      return (await ask(route, input, etag)) as CallResult<AnswerOf<R>> | null;
    },
  };
}

async function read(route: ServerRoute, response: Response): Promise<CallResult<unknown>> {
  const { status, headers } = response;
  const body = await said(response);
  const answer = route.answer.safeParse(body);
  if (answer.success) return { status, etag: headers.get("etag"), body: answer.data };
  const first = answer.error.issues[0];
  const what = `${route.method} ${route.path} gave an answer in an unexpected format`;
  throw new ApiProblem("unreadable", `${what}: ${first?.path.join(".")}: ${first?.message}`, { status, body });
}
