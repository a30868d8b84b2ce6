// `node scripts/check-seeds.ts`: every row of docs/seeds.md and docs/seeds/*.md names a proof that exists.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface Doc {
  path: string;
  text: string;
}

export interface Checked {
  /** One line each, with file and line. */
  problems: string[];
  rows: { tested: number; later: number; deviating: number };
}

/** Checks the tables of the given documents; `textOf` gives a file of the repository, or undefined where there is none. */
export function checkSeeds(docs: Doc[], textOf: (path: string) => string | undefined): Checked {
  const rows = docs.flatMap(rowsOf);
  const kinds: Kind[] = [];
  const problems: string[] = [];
  const firstPlace = new Map<string, string>();
  const declared = new Map<string, TestFile | undefined>();
  const fileOf = (path: string) => {
    if (!declared.has(path)) declared.set(path, testFile(textOf(path)));
    return declared.get(path);
  };
  for (const { place, cells, misplaced } of rows) {
    const report = (message: string) => problems.push(`${place}: ${message}`);
    const [id = "", what = "", proof = ""] = cells;
    if (misplaced) report(`a table has to start with the line ${HEADER}`);
    else if (cells.length !== 3) report(`a row has three cells, this one has ${cells.length} (write \\| for a bar)`);
    else {
      const earlier = firstPlace.get(id);
      if (!ID.test(id)) report(`"${id}" is no id; an id is like 000-2.1-3`);
      if (earlier !== undefined) report(`${id} is already at ${earlier}`);
      firstPlace.set(id, earlier ?? place);
      if (what === "") report(`${id} does not say what the seed asks`);
      const checked = checkProof(proof, fileOf, textOf);
      kinds.push(checked.kind);
      for (const message of checked.problems) report(`${id} ${message}`);
    }
  }
  for (const seed of SEEDS) {
    if (![...firstPlace.keys()].some((id) => id.startsWith(`${seed}-`))) problems.push(`seed ${seed} has no row`);
  }
  const count = (kind: Kind) => kinds.filter((each) => each === kind).length;
  return { problems, rows: { tested: count("test"), later: count("part"), deviating: count("deviation") } };
}

const SEEDS = ["000", "001", "002", "003", "004"];
const HEADER = "| id | what the seed asks | proof |";
const ID = /^00[0-4]-[A-Za-z0-9.]+-[1-9]\d*$/;

interface Row {
  place: string;
  cells: string[];
  misplaced: boolean;
}

function rowsOf({ path, text }: Doc): Row[] {
  const rows: Row[] = [];
  let table: "none" | "headed" | "open" = "none";
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (!line.trimStart().startsWith("|")) table = "none";
    else if (table === "none" && line.trim() === HEADER) table = "headed";
    else if (table === "headed" && /^\|(\s*:?-+:?\s*\|){3}$/.test(line.trim())) table = "open";
    else rows.push({ place: `${path}:${index + 1}`, cells: cellsOf(line), misplaced: table !== "open" });
  }
  return rows;
}

function cellsOf(line: string): string[] {
  const cells = line.trim().split(/(?<!\\)\|/);
  return cells.slice(1, cells.at(-1) === "" ? -1 : undefined).map((cell) => cell.trim().replaceAll("\\|", "|"));
}

type Kind = "test" | "part" | "deviation" | "none";

function checkProof(
  proof: string,
  fileOf: (path: string) => TestFile | undefined,
  textOf: (path: string) => string | undefined,
): { kind: Kind; problems: string[] } {
  if (proof === "") return { kind: "none", problems: ["has no proof"] };
  const part = /^part (\d+)$/.exec(proof)?.[1];
  if (part !== undefined) {
    const known = Number(part) >= 7 && Number(part) <= 15;
    return { kind: "part", problems: known ? [] : [`names part ${part}; the parts to come are 7 to 15`] };
  }
  const decision = /^deviation: (decisions\/\d{4}-[a-z0-9-]+\.md) \((\S.*)\)$/.exec(proof)?.[1];
  if (decision !== undefined) {
    const exists = textOf(`docs/${decision}`) !== undefined;
    return { kind: "deviation", problems: exists ? [] : [`names docs/${decision}, which does not exist`] };
  }
  const tests = proof.split(/; (?=\S+\.test\.ts › )/).map((each) => /^(\S+\.test\.ts) › (\S.*)$/.exec(each));
  if (tests.includes(null)) return { kind: "none", problems: [`has a proof of no known form: ${proof}`] };
  const problems = tests.flatMap((match) => checkTest(match?.[1] ?? "", (match?.[2] ?? "").split(" › "), fileOf));
  return { kind: "test", problems };
}

const RUN_BY_VITEST =
  /^(?:(?:(?:libs|apps)\/[\w-]+\/src|scripts)\/(?:[\w-]+\/)*[\w.-]+\.test|apps\/ui\/flows\/(?:[\w-]+\/)*[\w.-]+\.browser\.test)\.ts$/;

/** A title, and after it, where the test is a table, texts that stand in that file such as the name of a table's row. */
function checkTest(path: string, [title = "", ...texts]: string[], fileOf: (path: string) => TestFile | undefined) {
  if (!RUN_BY_VITEST.test(path)) return [`names ${path}, where no tests are run`];
  const file = fileOf(path);
  if (file === undefined) return [`names ${path}, which does not exist`];
  const titled = file.declarations.filter((each) => each.title.includes(title));
  if (titled.length === 0) return [`names a test that ${path} does not have: ${title}`];
  if (!titled.some((each) => each.runs)) return [`names a test of ${path} that does not run: ${title}`];
  return texts
    .filter((text) => !file.texts.has(text))
    .map((text) => `names a text that ${path} does not have: ${text}`);
}

interface Declaration {
  title: string;
  group: boolean;
  /** The first and last token of the whole call. */
  span: [number, number];
  /** Whether it is run: not skipped, not inside something skipped, and if it is a group, not without a test that runs. */
  runs: boolean;
}

interface TestFile {
  declarations: Declaration[];
  texts: Set<string>;
}

function testFile(source: string | undefined): TestFile | undefined {
  if (source === undefined) return undefined;
  const { tokens } = lex(source, 0);
  const closes = brackets(tokens);
  const declarations = tokens.flatMap((_, at) => declarationAt(tokens, at, closes) ?? []);
  const inside = (outer: Declaration, inner: Declaration) =>
    outer !== inner && outer.span[0] <= inner.span[0] && inner.span[1] <= outer.span[1];
  const switchedOff = declarations.filter((each) => !each.runs);
  const live = declarations.filter((each) => each.runs && !switchedOff.some((outer) => inside(outer, each)));
  const tests = live.filter((each) => !each.group);
  const runs = (each: Declaration) => live.includes(each) && (!each.group || tests.some((test) => inside(each, test)));
  return {
    declarations: declarations.map((each) => ({ ...each, runs: runs(each) })),
    texts: new Set(tokens.filter((token) => token.kind === "text").map((token) => token.text)),
  };
}

const OFF = new Set(["skip", "todo", "fails", "skipIf", "runIf"]);

/** The test or group that is declared by the call that starts at this token, if it is one and has a literal title. */
function declarationAt(tokens: Token[], start: number, closes: Map<number, number>): Declaration | undefined {
  const name = tokens[start];
  if (name?.kind !== "word" || !/^(?:test|it|describe|suite)$/.test(name.text)) return undefined;
  const is = (at: number, ...marks: string[]) => tokens[at]?.kind === "mark" && marks.includes(tokens[at].text);
  if (is(start - 1, ".")) return undefined;
  let off = false;
  let at = start + 1;
  while (at < tokens.length) {
    if (is(at, ".") && tokens[at + 1]?.kind === "word") {
      off ||= OFF.has(tokens[at + 1]?.text ?? "");
      at += 2;
    } else if (is(at, "<")) at = afterTypeArguments(tokens, at);
    else if (tokens[at]?.kind === "text") at += 1;
    else if (is(at, "(")) {
      const end = closes.get(at) ?? tokens.length;
      const title = tokens[at + 1];
      if (title?.kind === "text" && is(at + 2, ",", ")")) {
        const group = /^(?:describe|suite)$/.test(name.text);
        const bodyless = is(at + 2, ")") || at + 3 >= end;
        const options = is(at + 3, "{") ? tokens.slice(at + 3, closes.get(at + 3)) : [];
        off ||= bodyless || options.some((token) => token.kind === "word" && OFF.has(token.text));
        off ||= !group && tokens.slice(at, end).some((token, n) => token.text === "skip" && is(at + n + 1, "("));
        return { title: title.text, group, span: [start, end], runs: !off };
      }
      at = end + 1;
    } else return undefined;
  }
  return undefined;
}

function afterTypeArguments(tokens: Token[], open: number): number {
  let depth = 0;
  for (let at = open; at < tokens.length; at++) {
    if (tokens[at]?.kind !== "mark") continue;
    if (tokens[at]?.text === "<") depth += 1;
    if (tokens[at]?.text === ">") depth -= 1;
    if (depth === 0) return at + 1;
  }
  return tokens.length;
}

/** The place of the closing bracket for the place of each opening one. */
function brackets(tokens: Token[]): Map<number, number> {
  const closes = new Map<number, number>();
  const open: number[] = [];
  for (const [at, token] of tokens.entries()) {
    if (token.kind !== "mark") continue;
    if ("([{".includes(token.text)) open.push(at);
    else if (")]}".includes(token.text)) closes.set(open.pop() ?? at, at);
  }
  return closes;
}

interface Token {
  kind: "word" | "text" | "mark";
  /** Of a text: what stands between its quotes, with escaped quotes plain. */
  text: string;
}

const BLANK = /\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\//y;
const REGEX = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/y;
const QUOTED = /"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*'/y;
const WORD = /[\p{L}\p{N}_$]+/uy;

/** TypeScript in tokens, as far as it takes to tell calls from comments and from code inside of texts. */
function lex(source: string, from: number, closing = ""): { tokens: Token[]; end: number } {
  const tokens: Token[] = [];
  let depth = 0;
  for (let at = from; at < source.length; ) {
    const { kind, raw } = pieceAt(source, at, tokens.at(-1));
    if (kind === "mark" && raw === closing && depth === 0) return { tokens, end: at };
    if (kind === "mark" && raw === "{") depth += 1;
    if (kind === "mark" && raw === "}") depth -= 1;
    if (kind === "text") tokens.push({ kind, text: plain(raw.slice(1, -1)) });
    else if (kind !== "blank") tokens.push({ kind, text: raw });
    at += raw.length;
  }
  return { tokens, end: source.length };
}

function pieceAt(
  source: string,
  at: number,
  before: Token | undefined,
): { kind: Token["kind"] | "blank"; raw: string } {
  const blank = matchAt(BLANK, source, at);
  if (blank) return { kind: "blank", raw: blank };
  if (source[at] === "`") return { kind: "text", raw: source.slice(at, templateEnd(source, at) + 1) };
  const quoted = matchAt(QUOTED, source, at);
  if (quoted) return { kind: "text", raw: quoted };
  const word = matchAt(WORD, source, at) || (endsOperand(before) ? "" : matchAt(REGEX, source, at));
  if (word) return { kind: "word", raw: word };
  return { kind: "mark", raw: source.startsWith("=>", at) ? "=>" : source.charAt(at) };
}

function templateEnd(source: string, open: number): number {
  for (let at = open + 1; at < source.length; at++) {
    if (source[at] === "\\") at += 1;
    else if (source[at] === "`") return at;
    else if (source.startsWith("${", at)) at = lex(source, at + 2, "}").end;
  }
  return source.length;
}

/** A slash after a value divides; anywhere else it opens a regular expression. */
function endsOperand(token: Token | undefined): boolean {
  if (token === undefined) return false;
  if (token.kind === "word") return !/^(?:return|typeof|case|in|of|new|void|throw|await|else)$/.test(token.text);
  return token.kind === "text" || ")]}".includes(token.text);
}

function matchAt(pattern: RegExp, source: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0] ?? "";
}

function plain(text: string): string {
  return text.replace(/\\(["'`\\$])/g, "$1");
}

function main(root: string): void {
  const textOf = (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : undefined);
  const folder = existsSync(join(root, "docs/seeds")) ? readdirSync(join(root, "docs/seeds")).sort() : [];
  const paths = ["docs/seeds.md", ...folder.filter((f) => f.endsWith(".md")).map((file) => `docs/seeds/${file}`)];
  const { problems, rows } = checkSeeds(
    paths.map((path) => ({ path, text: textOf(path) ?? "" })),
    textOf,
  );
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
  else console.log(`seeds: ${rows.tested} tested, ${rows.later} in later parts, ${rows.deviating} recorded deviations`);
}

if (import.meta.main) main(process.cwd());
