import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";
import type { AppDeps } from "../app-deps.ts";
import { RequestProblem } from "../problem.ts";
import { wantsHtml } from "./pages.ts";
import { linkUsedPage, startPage } from "./start-page.ts";

const COOKIE = { httpOnly: true, sameSite: "strict", path: "/" } as const;

/** How browsers come in and go out. */
export const loginRoutes: FastifyPluginAsyncZod<AppDeps> = async (app, { gate, projects, pages }) => {
  app.get(
    "/login",
    {
      config: { entrance: "open" },
      // Whoever only asks for the headers must not use the link up.
      exposeHeadRoute: false,
      schema: { hide: true, querystring: z.object({ code: z.string().max(200).default("") }) },
    },
    async (request, reply) => {
      if (!gate.logins.redeem(request.query.code)) {
        if (gate.sessions.isGood(request.cookies[gate.cookie] ?? "")) return reply.redirect("/");
        if (wantsHtml(request.headers)) return reply.status(401).type("text/html; charset=utf-8").send(linkUsedPage());
        throw new RequestProblem(
          "unauthorised",
          "this link was used or has expired; the server prints a new one when it starts",
        );
      }
      // Without an age browsers keep it in memory, too.
      return reply.setCookie(gate.cookie, gate.sessions.begin(), COOKIE).redirect("/");
    },
  );

  if (pages === null)
    app.get("/", { schema: { hide: true } }, async (_request, reply) =>
      reply.type("text/html; charset=utf-8").send(startPage(projects.all())),
    );

  app.post(
    "/api/logout",
    { schema: { summary: "Log out this browser", tags: ["server"], response: { 204: z.null() } } },
    async (request, reply) => {
      const session = request.cookies[gate.cookie];
      if (session !== undefined) gate.sessions.end(session);
      return reply.clearCookie(gate.cookie, COOKIE).status(204).send(null);
    },
  );
};
