import { isObject, listAt, objectAt } from "./json.ts";

/** The smallest value that a schema allows, good enough for the few keywords that CLIs use in side requests. */
export function sampleOf(schema: unknown): unknown {
  if (!isObject(schema)) return {};
  const [first] = [...listAt(schema, "enum"), ...("const" in schema ? [schema.const] : [])];
  if (first !== undefined) return first;
  const [choice] = [...listAt(schema, "anyOf"), ...listAt(schema, "oneOf")];
  if (choice !== undefined) return sampleOf(choice);
  const properties = objectAt(schema, "properties") ?? {};
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  // Gemini writes types in capitals.
  switch (String(type).toLowerCase()) {
    case "string":
      return "ok";
    case "number":
    case "integer":
      return typeof schema.minimum === "number" ? schema.minimum : 0;
    case "boolean":
      return false;
    case "array":
      return [];
    case "null":
      return null;
    default:
      return Object.fromEntries(listAt(schema, "required").map((key) => [key, sampleOf(properties[String(key)])]));
  }
}
