import type { Clock } from "@anneal/adapters";
import cookie from "@fastify/cookie";
import helmet from "@fastify/helmet";
import rateLimit from "@fastify/rate-limit";
import websocket from "@fastify/websocket";
import Fastify, { type FastifyInstance } from "fastify";
import { hasZodFastifySchemaValidationErrors, serializerCompiler, validatorCompiler } from "fastify-type-provider-zod";
import { ownAddresses } from "./auth/addresses.ts";
import type { Gate } from "./auth/gate.ts";
import { SESSION_COOKIE } from "./auth/gate.ts";
import { describeApi } from "./openapi.ts";
import { Problem, problemOf } from "./problem.ts";
import type { Projects } from "./projects/projects.ts";
import { eventRoutes } from "./routes/events.ts";
import { itemRoutes } from "./routes/items.ts";
import { loginRoutes } from "./routes/login.ts";
import { projectRoutes } from "./routes/projects.ts";
import { reviewLoopRoutes } from "./routes/review-loop/index.ts";

export interface AppDeps {
  gate: Gate;
  projects: Projects;
  clock: Clock;
  /** Where it will listen. */
  address: { host: string; port: number };
  /** Requests a minute from one address; none means no limit. */
  requestsPerMinute?: number | undefined;
  /** One line for every change, without anything secret. */
  audit(line: string): void;
  /** An error that nobody foresaw. */
  onError(error: unknown): void;
}

const LARGEST_BODY_BYTES = 1024 * 1024;

/** Ways in that need no credentials: they hand some out, or say nothing. */
const OPEN = new Set(["/login", "/api/health"]);

export async function buildApp(deps: AppDeps): Promise<FastifyInstance> {
  const { gate, address, requestsPerMinute } = deps;
  const app = Fastify({
    forceCloseConnections: true,
    bodyLimit: LARGEST_BODY_BYTES,
    routerOptions: { maxParamLength: 300 },
  });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler((error, _request, reply) => {
    const problem = hasZodFastifySchemaValidationErrors(error) ? badInput(error.validation) : problemOf(error);
    if (problem.code === "internal") deps.onError(error);
    return reply.status(problem.status).send(problem.body);
  });
  app.setNotFoundHandler((request, reply) => {
    const problem = new Problem("not-found", `there is no ${request.method} ${request.url.split("?")[0]}`);
    return reply.status(problem.status).send(problem.body);
  });
  await app.register(helmet, { contentSecurityPolicy: { directives: CONTENT } });
  await app.register(cookie);
  if (requestsPerMinute !== undefined) await app.register(rateLimit, { max: requestsPerMinute, timeWindow: 60_000 });
  await app.register(websocket, {
    options: { maxPayload: 64 * 1024 },
    // Listeners are told why by the routes of the stream; nobody else has a socket.
    preClose: (done) => done(),
  });

  const own = ownAddresses(address.host, address.port);
  app.addHook("onRequest", async (request) => {
    const { host, origin } = request.headers;
    if (!own.isOwnHost(host)) throw new Problem("forbidden", "this Host header does not name the server");
    if (origin !== undefined && !own.isOwnOrigin(origin))
      throw new Problem("forbidden", "requests from other sites are refused");
    const path = request.url.split("?")[0] ?? "";
    if (OPEN.has(path) || hasTicket(path, request.query)) return;
    const token = tokenIn(request.headers);
    if (gate.knows({ token, session: request.cookies[SESSION_COOKIE] })) return;
    throw new Problem("unauthorised", "log in with the link that the server printed, or send its token as X-API-Key");
  });
  app.addHook("onResponse", async (request, reply) => {
    if (request.method === "GET" || request.method === "HEAD") return;
    deps.audit(`${request.method} ${request.url.split("?")[0]} ${reply.statusCode}`);
  });

  await describeApi(app);
  await app.register(loginRoutes, deps);
  await app.register(projectRoutes, deps);
  await app.register(itemRoutes, deps);
  await app.register(eventRoutes, deps);
  await app.register(reviewLoopRoutes, deps);
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

/** A socket comes with a ticket, which its own route redeems. */
function hasTicket(path: string, query: unknown): boolean {
  return path === "/api/events" && typeof query === "object" && query !== null && "ticket" in query;
}

function tokenIn({
  authorization,
  "x-api-key": key,
}: Record<string, string | string[] | undefined>): string | undefined {
  if (typeof key === "string") return key;
  const bearer = typeof authorization === "string" ? /^Bearer (.+)$/.exec(authorization)?.[1] : undefined;
  return bearer;
}

function badInput(issues: readonly { instancePath: string; message?: string | undefined }[]): Problem {
  const problems = issues.map(({ instancePath, message = "not allowed" }) => ({
    path: instancePath.replace(/^\//, "").replaceAll("/", ".") || "(whole)",
    message,
  }));
  const first = problems[0];
  return new Problem("bad-request", `${first?.path}: ${first?.message}`, problems);
}
