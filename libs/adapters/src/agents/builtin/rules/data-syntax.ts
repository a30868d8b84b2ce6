import { isPlainYaml } from "./plain-yaml.ts";

export type Dialect = "json" | "jsonc" | "yaml" | "toml";

export interface Broken {
  line: number;
  message: string;
  /** Where the comma is, when it alone is what strict JSON does not allow. */
  trailingComma?: { offset: number };
}

export function dialectOf(path: string): Dialect | null {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (/\.(?:jsonc|code-workspace)$/.test(name) || /^\.(?:eslintrc|swcrc|babelrc|jshintrc|hintrc)$/.test(name))
    return "jsonc";
  if (/\.json$/.test(name)) return COMMENTED.test(path) ? "jsonc" : "json";
  if (/\.ya?ml$/.test(name)) return "yaml";
  if (/\.toml$/.test(name)) return "toml";
  return null;
}

/** JSON files whose readers take comments and trailing commas. */
const COMMENTED =
  /(^|\/)(\.vscode|\.devcontainer|\.zed)\/|(^|\/)([tj]sconfig[^/]*|\.?devcontainer|\.eslintrc|\.oxlintrc|\.babelrc|babel\.config|\.swcrc|tslint|typedoc|deno|turbo|wrangler|biome|api-extractor|rush|nx|project|appsettings[^/]*|language-configuration|\.markdownlint|cspell|renovate)\.json$/;

/** The first error, or every trailing comma where those are all that is wrong; empty when the text parses. */
export async function parseErrors(text: string, dialect: Dialect): Promise<Broken[]> {
  if (dialect === "yaml") return yamlErrors(text);
  if (dialect === "toml") return tomlErrors(text);
  const body = text.startsWith("\uFEFF") ? ` ${text.slice(1)}` : text;
  try {
    JSON.parse(body);
    return [];
  } catch {
    return jsonErrors(body, dialect);
  }
}

async function jsonErrors(text: string, dialect: "json" | "jsonc"): Promise<Broken[]> {
  const { parse, printParseErrorCode } = await import("jsonc-parser");
  type ParseError = { error: number; offset: number; length: number };
  const errorsWith = (allowTrailingComma: boolean, disallowComments: boolean): ParseError[] => {
    const errors: ParseError[] = [];
    parse(text, errors, { allowTrailingComma, disallowComments, allowEmptyContent: dialect === "jsonc" });
    return errors;
  };
  if (dialect === "json") {
    const commas = trailingCommas(text);
    if (commas.length > 0 && parses(withoutCommas(text, commas))) {
      return commas.map((offset) => ({
        line: lineAt(text, offset),
        message: "a comma before a closing bracket is not allowed",
        trailingComma: { offset },
      }));
    }
  }
  const first = errorsWith(dialect === "jsonc", dialect === "json").sort((a, b) => a.offset - b.offset)[0];
  if (!first) return dialect === "jsonc" ? [] : [{ line: 1, message: "it does not parse" }];
  return [
    { line: lineAt(text, first.offset), message: WORDS[printParseErrorCode(first.error)] ?? "it does not parse" },
  ];
}

const WORDS: Record<string, string> = {
  InvalidSymbol: "a value is not valid here",
  InvalidNumberFormat: "a number is written wrongly",
  PropertyNameExpected: "a property name is missing",
  ValueExpected: "a value is missing",
  ColonExpected: "a colon is missing",
  CommaExpected: "a comma is missing",
  CloseBraceExpected: "a closing brace is missing",
  CloseBracketExpected: "a closing bracket is missing",
  EndOfFileExpected: "something follows after the end",
  InvalidCommentToken: "comments are not allowed",
  UnexpectedEndOfComment: "a comment is not closed",
  UnexpectedEndOfString: "a string is not closed",
  UnexpectedEndOfNumber: "a number is cut off",
  InvalidUnicode: "a unicode escape is wrong",
  InvalidEscapeCharacter: "an escape is wrong",
  InvalidCharacter: "a control character is not allowed",
};

/** Offsets of commas outside strings that a closing bracket follows. */
export function trailingCommas(text: string): number[] {
  const found: number[] = [];
  for (const match of text.matchAll(/"(?:[^"\\\n]|\\.)*"|,(?=\s*[\]}])/g))
    if (match[0] === ",") found.push(match.index);
  return found;
}

export function withoutCommas(text: string, offsets: number[]): string {
  return [...offsets].sort((a, b) => b - a).reduce((out, at) => out.slice(0, at) + out.slice(at + 1), text);
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

async function yamlErrors(text: string): Promise<Broken[]> {
  if (isPlainYaml(text)) return [];
  const { parseAllDocuments } = await import("yaml");
  const documents = parseAllDocuments(text, { uniqueKeys: false, logLevel: "silent", strict: false });
  if (!Array.isArray(documents)) return [];
  // A tag that only the reader of the file knows is no error of syntax.
  const error = documents.flatMap((document) => document.errors).find((one) => one.code !== "TAG_RESOLVE_FAILED");
  if (!error) return [];
  const line = error.linePos?.[0].line ?? lineAt(text, error.pos[0]);
  return [{ line, message: firstSentence(error.message) }];
}

async function tomlErrors(text: string): Promise<Broken[]> {
  const { parse, TomlError } = await import("smol-toml");
  try {
    parse(text, { integersAsBigInt: "asNeeded" });
    return [];
  } catch (error) {
    if (error instanceof TomlError) return [{ line: error.line, message: firstSentence(error.message) }];
    throw error;
  }
}

function firstSentence(message: string): string {
  const line = message.replace(/^Invalid TOML document:\s*/, "").split("\n")[0] ?? "";
  return line
    .replace(/\s+at line \d+.*$/, "")
    .replace(/[.:]\s*$/, "")
    .toLowerCase();
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}
