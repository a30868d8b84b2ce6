import type { FileCheck, Found } from "../source/rule.ts";
import type { SourceFile } from "../source/source.ts";
import { type Broken, type Dialect, dialectOf, parseErrors } from "./data-syntax.ts";

/** Finds JSON, YAML and TOML that no longer parses. What was broken before is not blamed on the change. */
export const brokenDataFile: FileCheck = {
  covers: () => true,
  hint: /(?:)/,
  async look(source, notes) {
    const dialect = dialectOf(source.path);
    if (!dialect || source.file.status === "deleted" || source.file.hunks.length === 0 || source.file.mode === SYMLINK)
      return [];
    const text = await source.text();
    if (text === null || text.length > LARGEST) {
      notes.push(`${source.path}: syntax not checked, the file is too large or not text`);
      return [];
    }
    if (text.startsWith("version https://git-lfs")) return [];
    const broken = await parseErrors(text, dialect);
    if (broken.length === 0 || (await brokenBefore(source, dialect))) return [];
    if (TEMPLATE.test(text) && !(await parsedBefore(source, dialect))) {
      notes.push(`${source.path}: syntax not checked, it is a template`);
      return [];
    }
    if (wrongOnPurpose(source)) {
      notes.push(`${source.path}: syntax not checked, the path says it is broken on purpose`);
      return [];
    }
    const lines = text.replace(/\r?\n$/, "").split(/\r?\n/);
    return broken.map((one) => report(one, dialect, lines));
  },
};

const SYMLINK = "120000";
const LARGEST = 5_000_000;
const TEMPLATE = /\{\{|\{%|<%|\$\{\{?|^[ \t]*#@|@@\w+@@/m;

function wrongOnPurpose({ kind, path }: SourceFile): boolean {
  const aboutTests = kind.fixture || /(^|\/)(tests?|specs?|examples?)\//i.test(path);
  return aboutTests && /invalid|broken|malformed|bad|corrupt|error|fail|truncated|empty|syntax|wrong/i.test(path);
}

async function parsedBefore(source: SourceFile, dialect: Dialect): Promise<boolean> {
  const before = await source.oldText();
  return before !== null && (await parseErrors(before, dialect)).length === 0;
}

async function brokenBefore(source: SourceFile, dialect: Dialect): Promise<boolean> {
  const before = await source.oldText();
  return before !== null && (await parseErrors(before, dialect)).length > 0;
}

function report({ line, message, trailingComma }: Broken, dialect: Dialect, lines: string[]): Found {
  const at = Math.min(Math.max(1, line), Math.max(1, lines.length));
  const name = dialect.startsWith("json") ? "JSON" : dialect.toUpperCase();
  return {
    line: at,
    endLine: at,
    snippet: lines[at - 1] ?? "",
    title: trailingComma ? "Trailing comma in strict JSON" : `The file is not valid ${name}`,
    description: `${name} stops being readable at line ${at}: ${message}.`,
    ...(trailingComma && { suggestion: "Remove the comma before the closing bracket." }),
  };
}
