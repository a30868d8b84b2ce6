import { isRecord } from "@anneal/types/unknown";

type Schema = Record<string, unknown>;

export interface StrictSchema {
  schema: Schema;
  /** Whether the provider can be held to it to the letter. */
  isStrict: boolean;
  /** Undoes in an answer what was done to the schema. */
  restore(value: unknown): unknown;
}

/** In strict mode every field has to be there. Fields that may be left out may be null instead, and are taken out again. */
export async function strictSchema(asked: object): Promise<StrictSchema> {
  const { $schema: _, ...schema } = asked as Schema;
  const { toStrictJsonSchema } = await import("openai/lib/transform");
  try {
    const strict = toStrictJsonSchema(withNulls(schema) as Parameters<typeof toStrictJsonSchema>[0]);
    return { schema: strict as Schema, isStrict: true, restore: (value) => withoutNulls(value, schema, schema) };
  } catch {
    // What strict mode cannot say is still understood, and the answer is checked by us in any case.
    return { schema, isStrict: false, restore: (value) => value };
  }
}

const LISTS = ["anyOf", "oneOf", "allOf", "prefixItems"];

function withNulls(schema: unknown): unknown {
  if (!isRecord(schema)) return schema;
  const required = new Set(listOf(schema.required));
  const changed: Schema = { ...schema };
  for (const name of ["properties", "$defs", "definitions"]) {
    if (isRecord(schema[name])) changed[name] = mapValues(schema[name], (_, inner) => withNulls(inner));
  }
  if (isRecord(changed.properties)) {
    changed.properties = mapValues(changed.properties, (name, inner) =>
      required.has(name) || takesNull(inner) ? inner : { anyOf: [inner, { type: "null" }] },
    );
  }
  if (isRecord(schema.items)) changed.items = withNulls(schema.items);
  for (const name of LISTS) if (Array.isArray(schema[name])) changed[name] = schema[name].map(withNulls);
  return changed;
}

/** Takes out each null of a field that may be left out and may not be null. */
function withoutNulls(value: unknown, schema: unknown, root: Schema): unknown {
  const meant = resolved(schema, root);
  if (!isRecord(meant)) return value;
  const branches = [meant.anyOf, meant.oneOf].flatMap(listOf);
  const changed = branches.reduce<unknown>((inner, branch) => withoutNulls(inner, branch, root), value);
  if (Array.isArray(changed)) return changed.map((item) => withoutNulls(item, meant.items, root));
  if (!isRecord(changed) || !isRecord(meant.properties)) return changed;
  const { properties } = meant;
  const required = new Set(listOf(meant.required));
  const kept = Object.entries(changed).filter(([name, inner]) => {
    const isAdded = name in properties && !required.has(name) && !takesNull(resolved(properties[name], root));
    return inner !== null || !isAdded;
  });
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutNulls(inner, properties[name], root)]));
}

function takesNull(schema: unknown): boolean {
  if (!isRecord(schema)) return false;
  if (schema.type === "null" || schema.const === null) return true;
  return (
    listOf(schema.type).includes("null") ||
    listOf(schema.enum).includes(null) ||
    [...listOf(schema.anyOf), ...listOf(schema.oneOf)].some(takesNull)
  );
}

function resolved(schema: unknown, root: Schema): unknown {
  if (!isRecord(schema) || typeof schema.$ref !== "string") return schema;
  const steps = schema.$ref.split("/").slice(1);
  return steps.reduce<unknown>((place, step) => (isRecord(place) ? place[step] : undefined), root);
}

function mapValues(object: Schema, change: (name: string, value: unknown) => unknown): Schema {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(name, value)]));
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
