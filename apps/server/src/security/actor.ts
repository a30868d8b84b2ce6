import type { FastifyInstance, FastifyRequest } from "fastify";
import { tokenIn } from "../auth/entrance.ts";
import type { Gate } from "../auth/gate.ts";

/** Who asks, as it may be written down: a session by the beginning of its name, which opens nothing. */
export type Actor = "token" | `session ${string}` | "ticket" | "nobody";

declare module "fastify" {
  interface FastifyRequest {
    /** Who asks, as it was when the request came: it may end its own session. */
    actor: Actor;
  }
}

/** Finds out who asks, once for all who want to know. */
export function knowActors(app: FastifyInstance, gate: Gate): void {
  app.decorateRequest("actor", "nobody");
  app.addHook("onRequest", (request, _reply, done) => {
    request.actor = actorOf(gate, request);
    done();
  });
}

function actorOf(gate: Gate, { headers, cookies, query }: FastifyRequest): Actor {
  const token = tokenIn(headers);
  if (token !== undefined) return gate.knows({ token }) ? "token" : "nobody";
  const session = cookies[gate.cookie];
  if (session !== undefined && gate.knows({ session })) return `session ${session.slice(0, 8)}`;
  return gate.tickets.has(ticketIn(query)) ? "ticket" : "nobody";
}

function ticketIn(query: unknown): string {
  return typeof query === "object" && query !== null && "ticket" in query ? String(query.ticket) : "";
}
