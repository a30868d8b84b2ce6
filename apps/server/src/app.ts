import { cleanedDeep } from "@anneal/engine/evidence";
import cookie from "@fastify/cookie";
import websocket from "@fastify/websocket";
import Fastify, { type FastifyInstance, type FastifyReply } from "fastify";
import { hasZodFastifySchemaValidationErrors, serializerCompiler, validatorCompiler } from "fastify-type-provider-zod";
import helmet from "helmet";
import type { AppDeps } from "./app-deps.ts";
import { entrance } from "./auth/entrance.ts";
import { describeApi } from "./openapi.ts";
import { problemOf, RequestProblem } from "./problem.ts";
import { stopping } from "./projects/projects.ts";
import { codeReviewRoutes } from "./routes/code-review/index.ts";
import { eventRoutes } from "./routes/events.ts";
import { healthRoutes } from "./routes/health.ts";
import { epicRoutes } from "./routes/items/epics.ts";
import { featureRoutes } from "./routes/items/features.ts";
import { itemRoutes } from "./routes/items/items.ts";
import { moveRoutes } from "./routes/items/items-moves.ts";
import { planStartRoutes } from "./routes/items/plans-start.ts";
import { storyRoutes } from "./routes/items/stories.ts";
import { unitRoutes } from "./routes/items/units.ts";
import { loginRoutes } from "./routes/login.ts";
import { loopPages } from "./routes/loops/loop-pages.ts";
import { asksForScreen, sendPages, servePages, withoutEscapes } from "./routes/pages.ts";
import { agentRoutes } from "./routes/project/agents.ts";
import { analyticsRoutes } from "./routes/project/analytics.ts";
import { notificationRoutes } from "./routes/project/notifications.ts";
import { policyRoutes } from "./routes/project/policies.ts";
import { projectRoutes } from "./routes/project/projects.ts";
import { promptRoutes } from "./routes/project/prompts.ts";
import { settingsRoutes } from "./routes/project/settings.ts";
import { reviewLoopRoutes } from "./routes/review-loop/index.ts";
import { knowActors } from "./security/actor.ts";
import { auditChanges } from "./security/audit.ts";
import { takeJsonBodies } from "./security/json-body.ts";
import { limitRequests } from "./security/limits.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Whether the route answers while the server stops. */
    whileStopping?: boolean;
  }
}

const LARGEST_BODY_BYTES = 1024 * 1024;

export async function buildApp(deps: AppDeps): Promise<FastifyInstance> {
  const { gate, requestsPerMinute } = deps;
  // The plugin of Fastify would read the directives anew for every request.
  const secure = helmet({ contentSecurityPolicy: { directives: CONTENT }, strictTransportSecurity: false });
  const app = Fastify({
    forceCloseConnections: true,
    bodyLimit: LARGEST_BODY_BYTES,
    routerOptions: { maxParamLength: 300 },
    frameworkErrors: (error, request, reply: FastifyReply) => {
      // No hook has run by now, so that a browser is sent to where they do.
      secure(request.raw, reply.raw, () => {});
      const isEscape = error.code === "FST_ERR_BAD_URL";
      if (isEscape && deps.pages !== null && asksForScreen(request))
        return void reply.redirect(withoutEscapes(request.url));
      void reply.status(error.statusCode ?? 400).send(new RequestProblem("bad-request", error.message).body);
    },
  });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler((error, request, reply) => {
    const found = hasZodFastifySchemaValidationErrors(error) ? badInput(error.validation) : problemOf(error);
    // What a request was about may have been closed under it.
    const problem = found.code === "internal" && deps.projects.closing ? stopping() : found;
    if (problem.code === "internal") deps.onError(error);
    const isStray = request.is404 && problem.code === "unauthorised";
    if (isStray && deps.pages !== null && asksForScreen(request))
      return sendPages(reply.status(problem.status), deps.pages);
    if (problem.etag !== undefined) void reply.header("etag", problem.etag);
    return reply.status(problem.status).send(problem.body);
  });
  app.setNotFoundHandler((request, reply) => {
    const problem = new RequestProblem("not-found", `no route ${request.method} ${request.url.split("?")[0]}`);
    if (deps.pages !== null && asksForScreen(request)) return sendPages(reply.status(problem.status), deps.pages);
    return reply.status(problem.status).send(problem.body);
  });
  app.addHook("onRequest", ({ raw }, reply, done) =>
    secure(raw, reply.raw, (error) => done(error as Error | undefined)),
  );
  await app.register(cookie);
  knowActors(app, gate);
  auditChanges(app, deps);
  if (requestsPerMinute !== undefined) await limitRequests(app, requestsPerMinute);
  takeJsonBodies(app);
  await app.register(websocket, {
    options: { maxPayload: 64 * 1024 },
    // Listeners are told why by the routes of the stream; nobody else has a socket.
    preClose: (done) => done(),
  });

  app.addHook("onRequest", entrance(deps));
  app.addHook("onRequest", async ({ ws, routeOptions: { config } }) => {
    // A socket has a code of its own for this, and the routes that tell how the server is have something to tell.
    if (deps.projects.closing && !ws && config.whileStopping !== true) throw stopping();
  });

  await describeApi(app);
  await app.register(loginRoutes, deps);
  if (deps.pages !== null) await servePages(app, deps.pages);
  await app.register(healthRoutes, deps);
  await app.register(projectRoutes, deps);
  await app.register(itemRoutes, deps);
  await app.register(moveRoutes, deps);
  await app.register(featureRoutes, deps);
  await app.register(epicRoutes, deps);
  await app.register(storyRoutes, deps);
  await app.register(planStartRoutes, deps);
  await app.register(unitRoutes, deps);
  await app.register(eventRoutes, deps);
  await app.register(async (loops) => {
    // Logs of before may hold what agents and people said and nobody may read. What people own is never touched: they would save it back.
    loops.addHook("preSerialization", async (_request, _reply, payload) => cleanedDeep(payload, deps.mask.text));
    await loops.register(reviewLoopRoutes, deps);
    await loops.register(loopPages, deps);
    await loops.register(codeReviewRoutes, deps);
  });
  await app.register(settingsRoutes, deps);
  await app.register(promptRoutes, deps);
  await app.register(policyRoutes, deps);
  await app.register(analyticsRoutes, deps);
  await app.register(agentRoutes, deps);
  await app.register(notificationRoutes, deps);
  return app;
}

const CONTENT = {
  defaultSrc: ["'self'"],
  styleSrc: ["'self'", "'unsafe-inline'"],
  imgSrc: ["'self'", "data:"],
  connectSrc: ["'self'"],
  frameAncestors: ["'none'"],
  upgradeInsecureRequests: null,
};

function badInput(issues: readonly { instancePath: string; message?: string | undefined }[]): RequestProblem {
  const problems = issues.map(({ instancePath, message = "not allowed" }) => ({
    path: instancePath.replace(/^\//, "").replaceAll("/", ".") || "(whole)",
    message,
  }));
  const first = problems[0];
  return new RequestProblem("bad-request", `${first?.path}: ${first?.message}`, problems);
}
