import type { FastifyRequest } from "fastify";
import { Problem } from "../problem.ts";
import { ownAddresses } from "./addresses.ts";
import { type Gate, SESSION_COOKIE } from "./gate.ts";

/** Ways in that need no credentials: they hand some out, or say nothing. */
const OPEN = new Set(["/login", "/api/health"]);

/** Turns away who is not meant, before anything else is looked at. */
export function entrance(
  gate: Gate,
  { address: { host, port }, pages }: { address: { host: string; port: number }; pages: string | null },
): (request: FastifyRequest) => Promise<void> {
  const own = ownAddresses(host, port);
  return async (request) => {
    const { host: asked, origin } = request.headers;
    if (!own.isOwnHost(asked)) throw new Problem("forbidden", "this Host header does not name the server");
    if (origin !== undefined && !own.isOwnOrigin(origin))
      throw new Problem("forbidden", "requests from other sites are refused");
    const path = request.url.split("?")[0] ?? "";
    if (OPEN.has(path) || (pages !== null && isPage(path)) || hasTicket(path, request.query)) return;
    if (gate.knows({ token: tokenIn(request.headers), session: request.cookies[SESSION_COOKIE] })) return;
    throw new Problem("unauthorised", "log in with the link that the server printed, or send its token as X-API-Key");
  };
}

/** The pages are the same for everybody and show nothing by themselves: what they show comes from under `/api`. */
function isPage(path: string): boolean {
  return !/^\/+api(\/|$)/i.test(path);
}

/** A socket comes with a ticket, which its own route redeems. */
function hasTicket(path: string, query: unknown): boolean {
  return path === "/api/events" && typeof query === "object" && query !== null && "ticket" in query;
}

function tokenIn({
  authorization,
  "x-api-key": key,
}: Record<string, string | string[] | undefined>): string | undefined {
  if (typeof key === "string") return key;
  return typeof authorization === "string" ? /^Bearer (.+)$/.exec(authorization)?.[1] : undefined;
}
