import { ApiError } from "@anneal/types";
import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import type { FastifyInstance, FastifySchema, RouteOptions } from "fastify";
import { jsonSchemaTransform } from "fastify-type-provider-zod";
import { z } from "zod";
import { STATUS } from "./problem.ts";

type Code = ApiError["code"];

/** The description of all routes, as a document and as a page to browse. */
export async function describeApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: { title: "Anneal", description: "Review loops over code that agents write.", version: "0.1.0" },
      components: {
        securitySchemes: {
          token: { type: "apiKey", in: "header", name: "X-API-Key" },
          session: { type: "apiKey", in: "cookie", name: "anneal_session_<port>" },
        },
        schemas: { ApiError: z.toJSONSchema(ApiError) as object },
      },
      security: [{ token: [] }, { session: [] }],
    },
    transform: (given) => {
      const { schema, url } = jsonSchemaTransform(given);
      const { response } = schema as { response?: object };
      return { url, schema: { ...schema, response: { ...refusals(given.schema, given.route), ...response } } };
    },
  });
  await app.register(swaggerUi, { routePrefix: "/api/docs" });
}

/** What a route may answer instead, as its shape tells; one that has more to refuse lists that itself. */
function refusals(schema: FastifySchema = {}, { method, config }: RouteOptions): Record<number, object> {
  const reads = method === "GET" || method === "HEAD";
  const isAsked = !reads || [schema.params, schema.querystring].some((part) => part !== undefined);
  const codes: Code[] = [
    ...(config?.entrance === "open" ? [] : (["unauthorised"] as const)),
    "forbidden",
    ...(isAsked ? (["bad-request", "not-found"] as const) : []),
    ...(reads ? [] : (["conflict", "too-large"] as const)),
    ...(namesVersion(schema.headers) ? (["stale"] as const) : []),
    "too-many",
    "unavailable",
  ];
  return Object.fromEntries(codes.map((code) => [STATUS[code], refusal(code)]));
}

/** Whether a change has to say what it is a change of. */
function namesVersion(headers: unknown): boolean {
  return headers instanceof z.ZodObject && "if-match" in headers.shape;
}

function refusal(code: Code): object {
  return { $ref: "#/components/schemas/ApiError", description: WHY[code] };
}

const WHY: Record<Code, string> = {
  "bad-request": "The request is invalid; the answer says where and why",
  unauthorised: "No token and no session",
  forbidden:
    "The request comes from another site, names another host, or its token does not have the right that it needs",
  "not-found": "Not found",
  conflict: "Not possible in the current state",
  stale: "The resource has changed since it was read",
  "too-large": "The body is too large",
  "too-many": "Too many requests in a minute",
  internal: "Internal error",
  unavailable:
    "Temporarily unavailable: the project's folder is gone, a file is busy, an agent gave no usable answer, or the server is stopping",
};
