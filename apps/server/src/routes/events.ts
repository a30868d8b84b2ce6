import { ProjectId } from "@anneal/types";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import type { AppDeps } from "../app.ts";
import { SESSION_COOKIE } from "../auth/gate.ts";
import { readCursor } from "../events/cursor.ts";
import { responseSink, socketSink } from "../events/sinks.ts";
import { type Sink, streamTo, type Wanted } from "../events/stream.ts";
import { Problem } from "../problem.ts";

const query = z.object({
  /** One project; without it all of them. */
  project: ProjectId.optional(),
  loop: z.string().max(300).optional(),
  item: z.string().max(300).optional(),
  /** The cursor of the last frame that was seen, or a sequence number of the one project; without it from now on. */
  since: z.string().max(20_000).optional(),
  ticket: z.string().max(200).optional(),
});

/** The event stream, over a socket and as server-sent events. */
export const eventRoutes: FastifyPluginAsyncZod<AppDeps> = async (app, { gate, projects }) => {
  app.post(
    "/api/events/ticket",
    { schema: { response: { 200: z.object({ ticket: z.string(), expiresAt: z.number() }) } } },
    async () => {
      const { pass: ticket, expiresAt } = gate.tickets.issue();
      return { ticket, expiresAt };
    },
  );

  const wanted = ({ project, loop, item, since }: z.infer<typeof query>): Wanted => {
    const chosen = project === undefined ? projects.all() : [projects.get(project)];
    const ids = chosen.map(({ id }) => id);
    const positions = since === undefined ? {} : readCursor(since, ids);
    if (positions === null) {
      throw new Problem("bad-request", "since: a cursor of a frame, or a sequence number together with project", [
        { path: "since", message: "a cursor of a frame, or a sequence number together with project" },
      ]);
    }
    return { hubs: new Map(chosen.map(({ id, hub }) => [id, hub])), since: positions, loop, item };
  };

  const listeners = new Map<Sink, () => void>();
  const attend = (sink: Sink, stop: () => void) => void listeners.set(sink, stop);
  const leave = (sink: Sink) => {
    listeners.get(sink)?.();
    listeners.delete(sink);
  };
  app.addHook("preClose", async () => {
    for (const sink of [...listeners.keys()]) {
      sink.close("shutting-down");
      leave(sink);
    }
  });

  app.route({
    method: "GET",
    url: "/api/events",
    schema: { querystring: query },
    preValidation: async (request) => {
      const { ticket } = request.query;
      const session = request.cookies[SESSION_COOKIE];
      // The hook for all requests let it through because of its ticket, which has to be good then.
      if (ticket !== undefined && !gate.knows({ session }) && !gate.tickets.redeem(ticket))
        throw new Problem("unauthorised", "this ticket was used or is too old; POST /api/events/ticket gives another");
    },
    handler: async (request, reply) => {
      const asked = wanted(request.query);
      const sink = responseSink(reply);
      const { stop } = streamTo(sink, asked);
      attend(sink, stop);
      reply.raw.on("close", () => leave(sink));
    },
    wsHandler: (socket, request) => {
      const sink = socketSink(socket);
      try {
        const { stop } = streamTo(sink, wanted(request.query));
        attend(sink, stop);
        socket.on("close", () => leave(sink));
      } catch (error) {
        socket.close(4_400, error instanceof Problem ? error.message.slice(0, 120) : "bad request");
      }
    },
  });
};
