import { type Caller, caller } from "./call.ts";
import { type EventStream, type EventStreamOptions, eventStream } from "./events.ts";
import type { AnswerOf, Input, ServerRoute } from "./route.ts";
import { items, projects, reviewLoop, server } from "./routes.ts";
import type { ServerAddress } from "./transport.ts";

export type { Caller, CallResult } from "./call.ts";
export type { Connect, EventStream, EventStreamOptions, SocketHandlers, StreamState } from "./events.ts";
export { ApiProblem, type ProblemCode } from "./problem.ts";
export { type AnswerOf, type Input, route, type ServerRoute } from "./route.ts";
export type { ServerAddress } from "./transport.ts";

const GROUPS = { server, projects, items, reviewLoop };

/** Everything that the server can be asked, and its events. */
export type AnnealClient = Bound<typeof GROUPS> &
  Caller & {
    /** Follows the events, through any number of broken connections. */
    events(options: EventStreamOptions): EventStream;
  };

/** A client of the server, for browsers and for Node. */
export function annealClient(connection: ServerAddress = {}): AnnealClient {
  const ask = caller(connection);
  return {
    ...ask,
    server: functionsOf(ask, server),
    projects: functionsOf(ask, projects),
    items: functionsOf(ask, items),
    reviewLoop: functionsOf(ask, reviewLoop),
    events: (options) => eventStream(connection, () => ask.call(server.ticket, {}), options),
  };
}

type Bound<G> = { [Group in keyof G]: Functions<G[Group]> };
type Functions<G> = { [Name in keyof G]: G[Name] extends ServerRoute ? Asking<G[Name]> : never };
type Asking<R extends ServerRoute> =
  Record<never, never> extends Input<R>
    ? (input?: Input<R>) => Promise<AnswerOf<R>>
    : (input: Input<R>) => Promise<AnswerOf<R>>;

/** One function for each route of a group. */
export function functionsOf<G extends Record<string, ServerRoute>>(ask: Caller, group: G): Functions<G> {
  const asking = Object.entries(group).map(([name, its]) => [
    name,
    (input: Input<ServerRoute> = {}) => ask.call(its, input),
  ]);
  return Object.fromEntries(asking);
}
