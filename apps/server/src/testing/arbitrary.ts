import fc from "fast-check";
import type { Document, JsonSchema } from "./document.ts";

/** What somebody sends who looks for a way in. */
export const HOSTILE = [
  "../../../../etc/passwd",
  "..",
  ".",
  "..\\..\\windows",
  "/etc/passwd",
  "%2e%2e%2f%2e%2e%2fetc",
  "f1/../../../canary",
  "f1\u0000.json",
  "f1\r\nSet-Cookie: a=b",
  "__proto__",
  "constructor",
  "$(touch PWNED)",
  "; touch PWNED",
  "-oProxyCommand=touch",
  "--upload-pack=touch PWNED",
  "link",
  "\u202egnp.exe",
  "\ud800",
  "x".repeat(5_000),
  "",
  " ",
  "null",
  "🦊".repeat(80),
  "{{7*7}}",
  "<script>alert(1)</script>",
  "' OR 1=1 --",
  "1e999",
  "-1",
  "9007199254740993",
] as const;

export const hostile = fc.constantFrom(...HOSTILE);
const KEYS = ["constructor", "toString", "extra", "", "a.b", "id"];
const DEEPEST = 5;

/** Values that a schema allows, by and large; what it cannot say is left to chance. */
export function fitting(document: Document, schema: JsonSchema, depth = 0): fc.Arbitrary<unknown> {
  const again = (one: JsonSchema) => fitting(document, one, depth + 1);
  if (schema.$ref !== undefined) {
    const named = document.components?.schemas?.[schema.$ref.split("/").at(-1) ?? ""];
    return named === undefined || depth > DEEPEST ? fc.constant(null) : again(named);
  }
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const union = schema.anyOf ?? schema.oneOf;
  if (union !== undefined) return depth > DEEPEST ? fc.constant(null) : fc.oneof(...union.map(again));
  if (schema.allOf !== undefined) return fc.tuple(...schema.allOf.map(again)).map((all) => Object.assign({}, ...all));
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case "string":
      return text(schema);
    case "integer":
      return fc.integer({ min: schema.minimum ?? 0, max: Math.min(schema.maximum ?? 1_000, 2 ** 31) });
    case "number":
      return fc.double({ min: schema.minimum ?? 0, max: schema.maximum ?? 1_000, noNaN: true });
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array":
      return depth > DEEPEST
        ? fc.constant([])
        : fc.array(again(schema.items ?? {}), { minLength: schema.minItems ?? 0, maxLength: schema.maxItems ?? 3 });
    case "object":
      return depth > DEEPEST ? fc.constant({}) : object(schema, again);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function text({ pattern, minLength = 0, maxLength = 40 }: JsonSchema): fc.Arbitrary<string> {
  const plain = fc.string({ minLength, maxLength: Math.min(maxLength, minLength + 40) });
  if (pattern === undefined) return plain;
  try {
    return fc.stringMatching(new RegExp(pattern), { size: "small" });
  } catch {
    return plain;
  }
}

function object(
  { properties = {}, required = [], additionalProperties }: JsonSchema,
  again: (one: JsonSchema) => fc.Arbitrary<unknown>,
): fc.Arbitrary<unknown> {
  const known = Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, again(one)]));
  const record = fc.record(known, { requiredKeys: required.filter((name) => name in known) });
  if (typeof additionalProperties !== "object") return record;
  const more = fc.dictionary(fc.string({ maxLength: 12 }), again(additionalProperties), { maxKeys: 2 });
  return fc.tuple(record, more).map(([own, others]) => ({ ...others, ...own }));
}

/** The same value with something wrong in it. */
export function spoiled(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.tuple(value, fc.nat(), fc.oneof(hostile, fc.jsonValue({ maxDepth: 2 }))).map(replaced) },
    { weight: 1, arbitrary: fc.tuple(value, fc.constantFrom(...KEYS), hostile).map(extended) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  );
}

function replaced([value, nth, other]: [unknown, number, unknown]): unknown {
  if (typeof value !== "object" || value === null) return other;
  const keys = Object.keys(value);
  const key = keys[nth % Math.max(1, keys.length)];
  if (key === undefined) return value;
  const inner: unknown = (value as Record<string, unknown>)[key];
  const within =
    typeof inner === "object" && inner !== null && nth % 3 === 0 ? replaced([inner, nth >> 2, other]) : other;
  return Array.isArray(value)
    ? value.map((one, index) => (String(index) === key ? within : one))
    : { ...value, [key]: within };
}

function extended([value, key, other]: [unknown, string, unknown]): unknown {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value, [key]: other } : value;
}
