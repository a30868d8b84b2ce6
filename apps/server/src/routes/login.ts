import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import type { AppDeps } from "../app.ts";
import { SESSION_COOKIE } from "../auth/gate.ts";
import { Problem } from "../problem.ts";

const COOKIE = { httpOnly: true, sameSite: "strict", path: "/" } as const;

/** How browsers come in and go out, and whether the server lives. */
export const loginRoutes: FastifyPluginAsyncZod<AppDeps> = async (app, { gate }) => {
  app.get(
    "/login",
    { schema: { hide: true, querystring: z.object({ code: z.string().max(200) }) } },
    async (request, reply) => {
      if (!gate.logins.redeem(request.query.code)) {
        throw new Problem(
          "unauthorised",
          "this link was used or is too old; the server prints a new one when it starts",
        );
      }
      return reply.setCookie(SESSION_COOKIE, gate.newSession(), COOKIE).redirect("/");
    },
  );

  app.get("/", { schema: { hide: true } }, async (_request, reply) => reply.redirect("/api/docs"));

  app.post("/api/logout", { schema: { response: { 204: z.null() } } }, async (request, reply) => {
    const session = request.cookies[SESSION_COOKIE];
    if (session !== undefined) gate.endSession(session);
    return reply.clearCookie(SESSION_COOKIE, COOKIE).status(204).send(null);
  });

  app.get("/api/health", { schema: { response: { 200: z.object({ status: z.literal("ok") }) } } }, async () => ({
    status: "ok" as const,
  }));
};
