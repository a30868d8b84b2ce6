import fc from "fast-check";

interface Node {
  type: string | readonly string[];
  properties?: Record<string, Node>;
  required?: readonly string[];
  additionalProperties?: boolean;
  items?: Node;
  enum?: readonly string[];
}

/** Any value that a schema lets through, as far as the subset of schemas goes that we use. */
export function valuesOf(schema: object, strings: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  return of(schema as Node, strings);
}

function of(node: Node, strings: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  if (typeof node.type !== "string") {
    return fc.oneof(...node.type.map((type) => of({ ...node, type }, strings)));
  }
  switch (node.type) {
    case "object":
      return fc.record(
        Object.fromEntries(Object.entries(node.properties ?? {}).map(([key, inner]) => [key, of(inner, strings)])),
      );
    case "array":
      return fc.array(of(node.items!, strings), { maxLength: 4 });
    case "string":
      return node.enum === undefined ? strings : fc.constantFrom(...node.enum);
    case "integer":
      return fc.nat(9_999);
    case "number":
      return fc.oneof(fc.integer({ min: 0, max: 100 }), fc.double({ min: 0, max: 100, noNaN: true }));
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    default:
      throw new Error(`a schema has the type ${node.type}`);
  }
}

/** Each node of a schema with its path. */
export function nodesOf(schema: object, path = "$"): [string, Node][] {
  const node = schema as Node;
  const inner = Object.entries(node.properties ?? {}).flatMap(([key, one]) => nodesOf(one, `${path}.${key}`));
  return [[path, node], ...inner, ...(node.items === undefined ? [] : nodesOf(node.items, `${path}[]`))];
}
