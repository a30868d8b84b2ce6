import { ApiError, ApiEventsQuery, ApiEventTicket, type StreamCloseCode } from "@anneal/types";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import type { AppDeps } from "../app-deps.ts";
import { tokenIn } from "../auth/entrance.ts";
import { type Positions, readCursor } from "../events/cursor.ts";
import { responseSink, socketSink } from "../events/sinks.ts";
import { type Sink, streamTo, type Wanted } from "../events/stream.ts";
import { problemOf, RequestProblem } from "../problem.ts";
import { stopping } from "../projects/projects.ts";
import type { ServedProject } from "../projects/served-project.ts";

const BEAT_MS = 15_000;
/** More at a time are no people and no tools of theirs. */
const MOST_LISTENERS = 2_000;
/** A close frame has no room for more. */
const LONGEST_REASON = 120;

/** Whom the server cannot serve now comes back with its cursor; all others have asked for something wrong. */
const CLOSED_BY: Partial<Record<ApiError["code"], StreamCloseCode>> = {
  conflict: 4409,
  unavailable: 1001,
  internal: 1001,
};

const tags = ["events"];

/** The event stream, over a socket and as server-sent events. */
export const eventRoutes: FastifyPluginAsyncZod<AppDeps> = async (app, deps) => {
  const { gate, projects, beatMs = BEAT_MS, onError, audit } = deps;
  const listeners = new Map<Sink, () => void>();
  /** Sessions that came by their ticket: sockets of other clients need not send the cookie. */
  const byTicket = new WeakMap<FastifyRequest, string>();
  const sessionOf = (request: FastifyRequest) =>
    byTicket.get(request) ?? (tokenIn(request.headers) === undefined ? request.cookies[gate.cookie] : undefined);

  /** A token has no session that could end. */
  const isOpen = (session: string | undefined) => session === undefined || gate.sessions.isGood(session);

  app.post(
    "/api/events/ticket",
    {
      schema: {
        summary: "Create a ticket for one socket, valid once, for 30 seconds",
        tags,
        response: { 200: ApiEventTicket },
      },
    },
    async (request) => {
      const { pass: ticket, expiresAt } = gate.tickets.issue(sessionOf(request));
      return { ticket, expiresAt };
    },
  );

  const onTooSlow = () => audit("GET /api/events: cut off, too slow");
  const attend = (sink: Sink, wanted: Wanted, request: FastifyRequest) => {
    const session = sessionOf(request);
    const isAllowed = () => isOpen(session);
    listeners.set(sink, streamTo(sink, wanted, { beatMs, isAllowed, onError, onTooSlow }));
    return () => {
      listeners.get(sink)?.();
      listeners.delete(sink);
    };
  };
  app.addHook("preClose", async () => {
    for (const [sink, stop] of listeners) {
      sink.close(1001);
      stop();
    }
    listeners.clear();
  });

  const wantedBy = ({ project, loop, item, since, activity }: ApiEventsQuery, lastId?: unknown): Wanted => {
    if (projects.closing) throw stopping();
    if (listeners.size >= MOST_LISTENERS)
      throw new RequestProblem("unavailable", "too many connections; try again later");
    const chosen = project === undefined ? projects.all() : [projects.get(project)];
    const from = since ?? (typeof lastId === "string" && lastId !== "" ? lastId : undefined);
    const hubs = new Map(chosen.map(({ id, hub }) => [id, hub]));
    return { hubs, since: from === undefined ? {} : placesIn(from, chosen), loop, item, activity };
  };

  app.route({
    method: "GET",
    url: "/api/events",
    // It would never end, and use a ticket up.
    exposeHeadRoute: false,
    config: { entrance: "ticket" },
    schema: {
      summary: "Stream the events of all loops or of some, over WebSocket (with a ticket) or as server-sent events",
      tags,
      querystring: ApiEventsQuery,
      response: { 200: z.unknown().meta({ type: "string", description: "text/event-stream" }), 409: ApiError },
    },
    preValidation: async (request) => {
      const { ticket } = request.query;
      if (ticket === undefined) return;
      // The hook for all requests let it through because of its ticket, which has to be good then, as its session has.
      const issued = gate.tickets.redeem(ticket);
      if (issued?.session !== undefined) byTicket.set(request, issued.session);
      const { actor } = request;
      const isKnown = issued === null ? actor !== "nobody" && actor !== "ticket" : isOpen(issued.session);
      if (!isKnown)
        throw new RequestProblem(
          "unauthorised",
          "this ticket was used or has expired; get another with POST /api/events/ticket",
        );
    },
    handler: async (request, reply: FastifyReply) => {
      const wanted = wantedBy(request.query, request.headers["last-event-id"]);
      reply.raw.on("close", attend(responseSink(reply), wanted, request));
    },
    wsHandler: (socket, request) => {
      try {
        const wanted = wantedBy(request.query);
        socket.on("close", attend(socketSink(socket), wanted, request));
      } catch (error) {
        const { code, message } = problemOf(error);
        if (code === "internal" && !projects.closing) onError(error);
        socket.close(CLOSED_BY[code] ?? 4400, message.slice(0, LONGEST_REASON));
      }
    },
  });
};

const NO_CURSOR = "the cursor of a message, or a sequence number together with project";

function placesIn(since: string, chosen: readonly ServedProject[]): Positions {
  const ids = chosen.map(({ id }) => id);
  const places = readCursor(since, ids);
  if (places === null)
    throw new RequestProblem("bad-request", `since: ${NO_CURSOR}`, [{ path: "since", message: NO_CURSOR }]);
  const ahead = chosen.find(({ id, hub }) => (places[id]?.seq ?? 0) > hub.now().seq);
  if (ahead === undefined) return places;
  throw new RequestProblem(
    "conflict",
    `since is beyond the last event of ${ahead.id} (${ahead.hub.now().seq}), so it is from another log; start again without it`,
  );
}
