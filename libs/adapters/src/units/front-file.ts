import { resolve } from "node:path";
import type { FileProblem } from "../stories/front-matter/problem.ts";
import { schemaProblems } from "../stories/front-matter/problem.ts";
import { NEVER_CLOSED } from "../stories/front-matter/set-fields.ts";
import { splitFrontMatter } from "../stories/front-matter/split.ts";
import { readText } from "../stories/front-matter/text-file.ts";
import { readYamlMap } from "../stories/front-matter/yaml-map.ts";

interface Schema<T> {
  safeParse(
    value: unknown,
  ): { success: true; data: T } | { success: false; error: Parameters<typeof schemaProblems>[1] };
}

export type FrontFile<T> =
  | {
      ok: true;
      values: T;
      /** The markdown below the front matter. */
      text: string;
      title: string | null;
      version: string;
      lineOf(path: readonly PropertyKey[]): number;
    }
  | { ok: false; problems: FileProblem[] };

/** Reads a markdown file that needs front matter of a certain shape. `fields` names it where there is none. */
export async function readFrontFile<T>(
  { file, root, fields }: { file: string; root: string; fields: string },
  schema: Schema<T>,
): Promise<FrontFile<T>> {
  const refused = (line: number, message: string): FrontFile<T> => ({ ok: false, problems: [{ file, line, message }] });
  const read = await readText(resolve(root, file));
  if (!read.ok) return refused(1, read.message);
  const split = splitFrontMatter(read.text);
  if (split.kind === "open") return refused(1, NEVER_CLOSED);
  if (split.kind === "none") return refused(1, `it has no front matter: begin it with \`---\`, ${fields} and \`---\``);
  const yaml = readYamlMap(split.yaml, { firstLine: 2, scalars: "typed" });
  if (!yaml.ok) return refused(yaml.line, `front matter: ${yaml.message}`);
  const parsed = schema.safeParse(withoutNulls(yaml.value));
  if (!parsed.success) return { ok: false, problems: schemaProblems(file, parsed.error, yaml.lineOf) };
  const text = read.text.slice(split.bodyStart);
  const title = /^#\s+(.*\S)\s*$/m.exec(text)?.[1] ?? null;
  return { ok: true, values: parsed.data, text, title, version: read.version, lineOf: yaml.lineOf };
}

/** Tools write `null` for what they do not know yet. */
function withoutNulls(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}
