import { userName } from "@anneal/engine/people";
import { Right } from "@anneal/types";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { tokenIn } from "../auth/entrance.ts";
import type { Gate } from "../auth/gate.ts";

/** Who asks, as it may be written down: a session by the beginning of its name, which opens nothing. */
type Actor = "token" | `token ${string}` | `session ${string}` | "ticket" | "nobody";

declare module "fastify" {
  interface FastifyRequest {
    /** Who asks, as it was when the request came: it may end its own session. */
    actor: Actor;
  }
}

/** Finds out who asks, once for all who want to know. */
export function knowActors(app: FastifyInstance, gate: Gate): void {
  app.decorateRequest("actor", "nobody");
  app.decorateRequest("voice");
  app.addHook("onRequest", async (request) => {
    Object.assign(request, await whoAsks(gate, request));
  });
}

type Known = Pick<FastifyRequest, "actor" | "voice">;

async function whoAsks(gate: Gate, { headers, cookies, query }: FastifyRequest): Promise<Known> {
  const token = tokenIn(headers);
  if (token !== undefined) {
    const bearer = await gate.bearer(token);
    if (bearer === null) return NOBODY;
    const { name, rights } = bearer;
    const actor = name === null ? "token" : (`token ${name}` as const);
    return { actor, voice: { speaker: { by: name ?? "the server's token", via: "token" }, rights } };
  }
  const session = cookies[gate.cookie];
  if (session !== undefined && gate.sessions.isGood(session)) {
    // Whoever started the server was shown the link by which they came in.
    const speaker = { by: userName(), via: "browser" } as const;
    return { actor: `session ${session.slice(0, 8)}`, voice: { speaker, rights: Right.options } };
  }
  return gate.tickets.has(ticketIn(query)) ? { ...NOBODY, actor: "ticket" } : NOBODY;
}

const NOBODY: Known = { actor: "nobody", voice: { speaker: { by: "nobody" }, rights: [] } };

function ticketIn(query: unknown): string {
  return typeof query === "object" && query !== null && "ticket" in query ? String(query.ticket) : "";
}
