import type { ApiEventTicket } from "@anneal/types";
import { type EventStream, type EventStreamOptions, eventStream } from "./events.ts";
import type { Transport } from "./transport.ts";

// The way in for pages: the same requests and events without the schemas, which a page that comes from the server
// itself can do without.
export type { EventStream, EventStreamOptions, StreamState } from "./events.ts";
export { ApiProblem, type ProblemCode } from "./problem.ts";
export { type CallOptions, type Transport, transport } from "./transport.ts";

/** Follows the events, through any number of broken connections. */
export function events(send: Transport, options: EventStreamOptions): EventStream {
  const ticket = async () => (await (await send("POST", "/api/events/ticket")).json()) as ApiEventTicket;
  return eventStream({}, ticket, options);
}
