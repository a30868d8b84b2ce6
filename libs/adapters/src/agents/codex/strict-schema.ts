import { objectOf, type UnknownRecord } from "../cli/json-line.ts";

/**
 * Why the API would refuse a schema: codex always asks for strict answers, for which every key of an object has to be
 * required and no other allowed. Answered here, it costs no run.
 */
export function strictProblem(schema: unknown, path = "it"): string | undefined {
  const node = objectOf(schema);
  if (node === undefined) return `${path} is not a schema`;
  if (path === "it" && node.type !== "object") return "it is not an object at the top";
  return problemOfObject(node, path) ?? problemInside(node, path);
}

function problemOfObject(node: UnknownRecord, path: string): string | undefined {
  const properties = objectOf(node.properties);
  const isObject = properties !== undefined || [node.type].flat().includes("object");
  if (!isObject) return undefined;
  if (node.additionalProperties !== false) return `${path} allows other keys`;
  const required = new Set(Array.isArray(node.required) ? node.required : []);
  const optional = Object.keys(properties ?? {}).find((key) => !required.has(key));
  return optional === undefined ? undefined : `${path}.${optional} is not required`;
}

function problemInside(node: UnknownRecord, path: string): string | undefined {
  const unknown = Object.keys(node).find((key) => REFUSED.has(key));
  if (unknown !== undefined) return `${path} has ${unknown}`;
  const named = [...entriesOf(node.properties), ...entriesOf(node.$defs), ...entriesOf(node.definitions)];
  const listed = Array.isArray(node.anyOf) ? node.anyOf.map((one, at): [string, unknown] => [`anyOf.${at}`, one]) : [];
  const items: [string, unknown][] = node.items === undefined ? [] : [["items", node.items]];
  for (const [key, inner] of [...named, ...listed, ...items]) {
    const problem = strictProblem(inner, `${path}.${key}`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function entriesOf(value: unknown): [string, unknown][] {
  return Object.entries(objectOf(value) ?? {});
}

const REFUSED = new Set([
  ...["allOf", "oneOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas", "patternProperties"],
  ...["unevaluatedProperties", "propertyNames", "minProperties", "maxProperties", "contains", "uniqueItems"],
]);
