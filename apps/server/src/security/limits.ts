import rateLimit from "@fastify/rate-limit";
import type { FastifyInstance } from "fastify";

/**
 * So many requests a minute for each token and session, and for each address as many without any: whoever guesses uses
 * up the guesses of that address, and nothing of those who are known. Whether the server lives is told to all.
 */
export async function limitRequests(app: FastifyInstance, max: number): Promise<void> {
  await app.register(rateLimit, { global: false, max, timeWindow: 60_000 });
  const limit = app.rateLimit({
    allowList: ({ routeOptions }) => routeOptions.url === "/api/health",
    keyGenerator: ({ actor, routeOptions, ip }) => {
      if (actor !== "nobody") return actor;
      // What is open to all has to stay so while somebody guesses: pages, and the way to log in.
      return `${routeOptions.config.entrance ?? "closed"} to ${ip}`;
    },
  });
  // Before the entrance, so that those who are turned away are counted too.
  app.addHook("onRequest", limit);
}
