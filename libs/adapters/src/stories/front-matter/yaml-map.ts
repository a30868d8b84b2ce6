import { errorMessage } from "@anneal/types/unknown";
import { type Document, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } from "yaml";

export type YamlRead =
  | {
      ok: true;
      value: Record<string, unknown>;
      /** The line of the key or list entry at this path; where there is none, of the nearest around it. */
      lineOf(path: readonly PropertyKey[]): number;
    }
  | { ok: false; line: number; message: string };

export interface YamlOptions {
  /** The line of the file on which the YAML begins. */
  firstLine: number;
  /** `texts`: every plain value is text as it was written, so that a version such as 3.10 stays what it is. */
  scalars: "typed" | "texts";
}

/** Reads YAML that has to be one mapping. It never throws, and nothing in it is run or loaded. */
export function readYamlMap(yaml: string, { firstLine, scalars }: YamlOptions): YamlRead {
  const lines = new LineCounter();
  const lineAt = (offset: number) => firstLine + Math.max(1, lines.linePos(offset).line) - 1;
  try {
    const document = parseYaml(yaml, { scalars, lines });
    const [error] = document.errors;
    if (error !== undefined) return { ok: false, line: lineAt(error.pos[0]), message: notYaml(error) };
    if (document.contents === null) return { ok: true, value: {}, lineOf: () => firstLine };
    if (!isMap(document.contents)) return { ok: false, line: firstLine, message: "expected `key: value` lines" };
    const value: Record<string, unknown> = document.toJS();
    return { ok: true, value, lineOf: (path) => lineAt(offsetOf(document, path)) };
  } catch (error) {
    return { ok: false, line: firstLine, message: `it is not valid YAML: ${reasonOf(error)}` };
  }
}

export function parseYaml(
  yaml: string,
  { scalars, lines }: { scalars: YamlOptions["scalars"]; lines?: LineCounter },
): Document.Parsed {
  return parseDocument(yaml, {
    prettyErrors: false,
    // Not "silent": that would also take two documents for one.
    logLevel: "error",
    schema: scalars === "texts" ? "failsafe" : "core",
    ...(lines === undefined ? {} : { lineCounter: lines }),
  });
}

function notYaml({ code, message }: { code: string; message: string }): string {
  if (code === "MULTIPLE_DOCS") return "it is not valid YAML: a line `---` starts a second document";
  return `it is not valid YAML: ${message.split("\n")[0]}`;
}

function reasonOf(error: unknown): string {
  if (error instanceof RangeError) return "it is nested too deeply";
  return errorMessage(error).split("\n")[0] ?? "";
}

function offsetOf(document: Document.Parsed, path: readonly PropertyKey[]): number {
  let node: unknown = document.contents;
  let offset = document.contents?.range?.[0] ?? 0;
  for (const step of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step));
      if (pair === undefined) break;
      offset = startOf(pair.key) ?? offset;
      node = pair.value;
    } else if (isSeq(node) && typeof step === "number") {
      node = node.items[step];
      offset = startOf(node) ?? offset;
    } else break;
  }
  return offset;
}

function startOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined;
}
