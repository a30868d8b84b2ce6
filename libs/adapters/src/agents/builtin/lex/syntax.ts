import type { Language } from "./file-kind.ts";

export interface Quote {
  open: string;
  close: string;
  escapes: boolean;
  /** A quote that may not span lines ends at the newline, so that a lone apostrophe spoils one line only. */
  multiline: boolean;
}

/** As much of a language's lexis as it takes to tell code, strings and comments apart. */
export interface Syntax {
  line: string[];
  block: [open: string, close: string][];
  quotes: Quote[];
  /** `'` starts a character only when one closes right after it (Rust lifetimes, Go runes). */
  characters?: true;
  /** JavaScript's templates with nested code, and its regular expressions. */
  javascript?: true;
  /** `#` starts a comment only at a line start or after a space. */
  hashAfterSpace?: true;
}

const double = quote('"');
const single = quote("'");
const slashes: Pick<Syntax, "line" | "block"> = { line: ["//"], block: [["/*", "*/"]] };
const triple = { ...quote('"""'), multiline: true };

export const SYNTAX: Record<Language, Syntax> = {
  js: { ...slashes, quotes: [double, single], javascript: true },
  python: { line: ["#"], block: [], quotes: [triple, { ...quote("'''"), multiline: true }, double, single] },
  go: { ...slashes, quotes: [double, { ...quote("`"), escapes: false, multiline: true }], characters: true },
  rust: { ...slashes, quotes: [rustRaw("##"), rustRaw("#"), rustRaw(""), multi(double)], characters: true },
  jvm: { ...slashes, quotes: [triple, double, single] },
  csharp: { ...slashes, quotes: [triple, double, single] },
  ruby: { line: ["#"], block: [["\n=begin", "\n=end"]], quotes: [double, single], hashAfterSpace: true },
  php: { ...slashes, line: ["//", "#"], quotes: [double, single], hashAfterSpace: true },
  swift: { ...slashes, quotes: [triple, double] },
  c: { ...slashes, quotes: [double, single] },
  shell: { line: ["#"], block: [], quotes: [double, { ...single, escapes: false }], hashAfterSpace: true },
  hash: { line: ["#"], block: [], quotes: [double, single], hashAfterSpace: true },
  css: { line: [], block: [["/*", "*/"]], quotes: [double, single] },
  html: { line: [], block: [["<!--", "-->"]], quotes: [] },
  sql: { line: ["--"], block: [["/*", "*/"]], quotes: [single] },
  text: { line: [], block: [], quotes: [] },
};

function quote(mark: string): Quote {
  return { open: mark, close: mark, escapes: true, multiline: false };
}

function multi(of: Quote): Quote {
  return { ...of, multiline: true };
}

function rustRaw(hashes: string): Quote {
  return { open: `r${hashes}"`, close: `"${hashes}`, escapes: false, multiline: true };
}
