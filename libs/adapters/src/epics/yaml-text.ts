import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  parseAllDocuments,
  visit,
} from "yaml";

export type YamlText =
  | {
      ok: true;
      value: Record<string, unknown>;
      /** The line of what stands at a path; of the nearest thing around it where there is nothing. */
      lineOf(path: readonly (string | number)[]): number;
    }
  | { ok: false; line: number; problem: string };

/**
 * Reads a text that people wrote as one YAML mapping.
 * Aliases and merge keys are refused: a few lines of them can stand for gigabytes, and a value would have no line of its own.
 */
export function readYamlText(text: string, firstLine = 1): YamlText {
  const lines = new LineCounter();
  const lineAt = (offset: number) => firstLine + Math.max(1, lines.linePos(offset).line) - 1;
  const failed = (offset: number, problem: string): YamlText => ({ ok: false, line: lineAt(offset), problem });
  try {
    // Of a stream that holds nothing, the library gives an empty list that has errors of its own.
    const documents = [...parseAllDocuments(text, { lineCounter: lines, prettyErrors: false, version: "1.2" })];
    const trouble = documents.flatMap(({ errors, warnings }) => [...errors, ...warnings]);
    const [first] = trouble.sort((a, b) => a.pos[0] - b.pos[0]);
    if (first !== undefined) return failed(first.pos[0], sentence(first));
    const [document, second] = documents;
    if (second !== undefined)
      return failed(second.range[0], "there are two documents in one file: remove the line ---");
    if (document === undefined || document.contents === null) return failed(0, "the file is empty");
    if (!isMap(document.contents))
      return failed(document.contents.range[0], "expected keys with values, such as name: …");
    const trick = trickIn(document);
    if (trick !== null) return failed(trick.offset, trick.problem);
    const value: Record<string, unknown> = document.toJS();
    return { ok: true, value, lineOf: (path) => lineAt(offsetOf(document, path)) };
  } catch (error) {
    if (error instanceof RangeError) return failed(0, "it is nested too deeply");
    return failed(
      0,
      `it is not valid YAML: ${error instanceof Error ? error.message.split("\n")[0] : "unknown failure"}`,
    );
  }
}

const SENTENCES: Record<string, string> = {
  DUPLICATE_KEY: "this key is there twice",
  TAB_AS_INDENT: "a tab is not allowed as indentation: use spaces",
  TAG_RESOLVE_FAILED: "tags (!…) are not read: write a plain value",
  RESOURCE_EXHAUSTION: "it is nested too deeply",
};

function sentence({ code, message }: { code: string; message: string }): string {
  return SENTENCES[code] ?? `it is not valid YAML: ${message.split("\n")[0]}`;
}

function trickIn(document: Document.Parsed): { offset: number; problem: string } | null {
  let found: { offset: number; problem: string } | null = null;
  visit(document, (_, node) => {
    if (isAlias(node)) {
      found = { offset: node.range?.[0] ?? 0, problem: `aliases (*${node.source}) are not read: write the value out` };
    } else if (isPair(node) && isScalar(node.key) && node.key.value === "<<") {
      found = { offset: node.key.range?.[0] ?? 0, problem: "merge keys (<<) are not read: write the values out" };
    } else if (isPair(node) && isScalar(node.key) && node.key.value === "__proto__") {
      found = { offset: node.key.range?.[0] ?? 0, problem: "__proto__ cannot be a key" };
    }
    return found === null ? undefined : visit.BREAK;
  });
  return found;
}

function offsetOf(document: Document.Parsed, path: readonly (string | number)[]): number {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
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
