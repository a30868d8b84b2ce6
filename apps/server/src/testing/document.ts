import { Agent, type IncomingHttpHeaders, request } from "node:http";
import type { World } from "./server-world.ts";

export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: JsonSchema | boolean;
  items?: JsonSchema;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minItems?: number;
  maxItems?: number;
}

export interface Parameter {
  name: string;
  in: "path" | "query" | "header" | "cookie";
  required?: boolean;
  schema: JsonSchema;
}

/** One route, as the document describes it. */
export interface Operation {
  method: string;
  path: string;
  summary?: string;
  tags?: string[];
  parameters: Parameter[];
  body: JsonSchema | null;
  responses: string[];
}

export interface Document {
  paths: Record<string, Record<string, RawOperation>>;
  components?: { schemas?: Record<string, JsonSchema> };
}

interface RawOperation {
  summary?: string;
  tags?: string[];
  parameters?: Parameter[];
  requestBody?: { content?: Record<string, { schema?: JsonSchema }> };
  responses?: Record<string, unknown>;
}

/** The OpenAPI document of a running server. */
export async function documentOf(world: World): Promise<Document> {
  return (await world.call("GET", "/api/docs/json")).body;
}

export function operationsOf({ paths }: Document): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { summary, tags, parameters = [], requestBody, responses = {} }]) => ({
      method: method.toUpperCase(),
      path,
      ...(summary === undefined ? {} : { summary }),
      ...(tags === undefined ? {} : { tags }),
      parameters,
      body: requestBody?.content?.["application/json"]?.schema ?? null,
      responses: Object.keys(responses),
    })),
  );
}

/** A request as it goes over the wire: nothing is put right on the way. */
export interface Wire {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string | undefined;
}

export interface WireAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

export function wire(world: World, sockets = 4) {
  const agent = new Agent({ keepAlive: true, maxSockets: sockets });
  const { hostname, port, host } = new URL(world.server.url);
  return {
    send: ({ method, path, headers, body }: Wire) =>
      new Promise<WireAnswer>((resolve, reject) => {
        const sent = request(
          { agent, hostname, port, method, path, headers: { host, ...headers }, insecureHTTPParser: false },
          (response) => {
            const { statusCode: status = 0, headers: got } = response;
            // A stream never ends by itself.
            if (got["content-type"] === "text/event-stream") {
              response.destroy();
              resolve({ status, headers: got, text: "" });
              return;
            }
            let text = "";
            response.setEncoding("utf8");
            response.on("data", (chunk) => {
              text += chunk;
            });
            response.on("end", () => resolve({ status, headers: got, text }));
            response.on("error", reject);
          },
        );
        sent.on("error", reject);
        sent.end(body);
      }),
    close: () => agent.destroy(),
  };
}

/** The path with its parameters in place. */
export function filled(path: string, params: Record<string, string>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent((params[name] ?? "").toWellFormed()));
}
