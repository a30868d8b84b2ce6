import { readFileSync } from "node:fs";

interface Shape {
  properties: Record<string, { type?: string; enum?: string[]; items?: Shape }>;
  required?: string[];
}

interface Operation {
  query?: string[];
  body?: Shape;
  statuses: number[];
  answer?: string[];
}

const url = new URL("../fixtures/operations.json", import.meta.url);
/** From GitHub's own description of its interface. */
const { operations }: { operations: Record<string, Operation> } = JSON.parse(readFileSync(url, "utf8"));

export interface SeenRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  body: unknown;
}

/** The operation of a request, as GitHub describes it; null where it describes none. */
export function operationOf({
  method,
  path,
}: Pick<SeenRequest, "method" | "path">): { name: string; operation: Operation } | null {
  for (const [name, operation] of Object.entries(operations)) {
    const pattern = name.replace(/[.]/g, "\\.").replace(/\{[^}]+\}/g, "[^/]+");
    if (new RegExp(`^${pattern}$`).test(`${method} ${path}`)) return { name, operation };
  }
  return null;
}

/** What in a request is not in GitHub's description; empty where all is. */
export function objections(request: SeenRequest): string[] {
  const found = operationOf(request);
  if (found === null) return [`no such operation: ${request.method} ${request.path}`];
  const { name, operation } = found;
  const unknown = [...request.query.keys()].filter((key) => !operation.query?.includes(key));
  const inBody = request.body === null ? [] : bodyObjections(request.body, operation.body);
  return [...unknown.map((key) => `no parameter ${key}`), ...inBody].map((text) => `${name}: ${text}`);
}

function bodyObjections(body: unknown, shape: Shape | undefined): string[] {
  if (typeof body !== "object" || body === null || shape === undefined) return ["takes no body"];
  const missing = (shape.required ?? []).filter((key) => !Object.hasOwn(body, key)).map((key) => `lacks ${key}`);
  const wrong = Object.entries(body).flatMap(([key, value]) => {
    const wanted = shape.properties[key];
    if (wanted === undefined) return [`no field ${key}`];
    const type = Array.isArray(value) ? "array" : Number.isInteger(value) ? "integer" : typeof value;
    if (wanted.type !== undefined && wanted.type !== type) return [`${key} is ${wanted.type}, not ${type}`];
    if (wanted.enum?.includes(String(value)) === false) return [`${key} is one of ${wanted.enum.join(", ")}`];
    const { items } = wanted;
    return Array.isArray(value) && items !== undefined ? value.flatMap((one) => bodyObjections(one, items)) : [];
  });
  return [...missing, ...wrong];
}

/** Fields of an answer of a stand-in that GitHub's has not, and a status that it does not describe. */
export function inventions(request: Pick<SeenRequest, "method" | "path">, status: number, answer: unknown): string[] {
  const found = operationOf(request);
  if (found === null) return [];
  const { name, operation } = found;
  const general = [304, 401, 403, 404, 422, 429];
  const strange = [...operation.statuses, ...general].includes(status) ? [] : [`${name}: no status ${status}`];
  if (status >= 300 || operation.answer === undefined) return strange;
  const fields = (Array.isArray(answer) ? answer : [answer]).flatMap((one) => Object.keys(one ?? {}));
  const known = new Set(operation.answer);
  return [
    ...strange,
    ...[...new Set(fields)].filter((field) => !known.has(field)).map((field) => `${name}: no answer ${field}`),
  ];
}
