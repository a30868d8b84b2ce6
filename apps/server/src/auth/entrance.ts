import type { FastifyRequest } from "fastify";
import { RequestProblem } from "../problem.ts";
import { ownAddresses } from "./addresses.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /**
     * Whom a route lets in without credentials: everybody, because it hands some out or says nothing of its own, or sockets
     * with a ticket, which the route redeems. A route that says nothing lets in nobody.
     */
    entrance?: "open" | "ticket";
  }
}

/** Turns away who is not meant, before anything else is looked at. */
export function entrance({
  address: { host, port, names },
}: {
  address: { host: string; port: number; names?: readonly string[] };
}): (request: FastifyRequest) => Promise<void> {
  const own = ownAddresses({ host, port, ...(names === undefined ? {} : { names }) });
  return async (request) => {
    const { host: asked, origin } = request.headers;
    // Of several the first is taken here, and another one perhaps by whoever passed the request on.
    const hosts = request.raw.headersDistinct.host ?? [];
    if (asked === undefined || hosts.length > 1 || !own.isOwnHost(asked))
      throw new RequestProblem(
        "forbidden",
        "the Host header names another host than this server; allow it with anneal serve --name HOST",
      );
    if (origin !== undefined && !own.isOwnOrigin(origin, asked))
      throw new RequestProblem(
        "forbidden",
        "the request comes from a page of another site, and such requests are refused",
      );
    // The route that was found decides, and never the address: one and the same can be written in many ways.
    const { entrance: open } = request.routeOptions.config;
    if (open === "open" || (open === "ticket" && hasTicket(request.query))) return;
    if (request.actor !== "nobody" && request.actor !== "ticket") return;
    throw new RequestProblem(
      "unauthorised",
      "not logged in: open the login link that anneal serve printed, or send the server's token as X-API-Key",
    );
  };
}

function hasTicket(query: unknown): boolean {
  return typeof query === "object" && query !== null && "ticket" in query;
}

/** What it says is a token, right or wrong. */
export function tokenIn({
  authorization,
  "x-api-key": key,
}: Record<string, string | string[] | undefined>): string | undefined {
  if (typeof key === "string") return key;
  return typeof authorization === "string" ? /^bearer (.+)$/i.exec(authorization)?.[1] : undefined;
}
