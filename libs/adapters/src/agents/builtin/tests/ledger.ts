import { type CodeText, codeText } from "../lex/code-text.ts";
import { fileKind } from "../lex/file-kind.ts";
import type { Found } from "../source/rule.ts";
import type { SourceFile } from "../source/source.ts";
import { inventory, type TestCase, type TestInventory } from "./inventory.ts";
import { pairTests } from "./pairing.ts";

export interface LedgerEntry extends Found {
  rule: "test-removed" | "assertions-removed";
  file: string;
}

interface Located extends TestCase {
  file: string;
  /** Where the test was, seen from the new side; unknown when the whole file is gone. */
  newLine: number | undefined;
}

/** Remembers over the whole change which tests went and which came, because a test may move between files. */
export class TestLedger {
  private readonly gone: Located[] = [];
  private readonly fresh: Located[] = [];
  private readonly weakened: LedgerEntry[] = [];
  private readonly unread: LedgerEntry[] = [];
  private moved: readonly Located[] = [];
  private readonly deletedSources = new Set<string>();

  async see(source: SourceFile, notes: string[]): Promise<void> {
    const { file, path } = source;
    const old = file.oldPath === undefined ? source.kind : fileKind(file.oldPath);
    // A test under a name that no runner looks for is as good as deleted.
    const deleted = file.status === "deleted" || (old.test && !source.kind.test && file.status === "renamed");
    const kind = deleted ? old : source.kind;
    if (!kind.test && deleted) this.deletedSources.add(subject(path));
    if (kind.generated || kind.fixture || !(kind.test || kind.language === "rust")) return;
    if (!deleted && !concerns(source)) return;
    const oldText = file.status === "added" ? "" : await source.oldText();
    const newText = deleted ? "" : await source.text();
    if (oldText === null || newText === null) {
      if (deleted && kind.test) this.unread.push(fileDeleted(path));
      else
        notes.push(
          `The tests of ${path} were not compared with those before the change, because the file cannot be read`,
        );
      return;
    }
    const before = inventory(codeText(oldText, kind.language), kind.language);
    const afterCode = await source.code();
    const after = deleted ? EMPTY : inventory(afterCode, kind.language);
    const { pairs, gone, fresh } = pairTests(before.tests, after.tests);
    for (const test of gone) {
      if (!deleted && livesOn(test.name, after, afterCode)) continue;
      const newLine = deleted ? undefined : newSide(source, test.line, lastLine(afterCode));
      this.gone.push({ ...test, file: path, newLine });
    }
    this.fresh.push(...fresh.map((test) => ({ ...test, file: path, newLine: test.line })));
    const lost = lostAssertions(pairs, gone, after.looseAssertions - before.looseAssertions);
    if (lost) this.weakened.push({ ...lost, ...goneFrom(source), file: path });
  }

  /** Whether a test that is new in its file was in another one before; known once all files are seen. */
  isMoved(file: string | undefined, name: string): boolean {
    return this.moved.some((test) => test.file === file && test.name === name);
  }

  conclude(notes: string[]): LedgerEntry[] {
    const { gone, pairs } = pairTests(this.gone, this.fresh);
    this.moved = pairs.map(([, test]) => test);
    const withCode = gone.filter((test) => test.newLine === undefined && this.deletedSources.has(subject(test.file)));
    if (withCode.length > 0) {
      const files = [...new Set(withCode.map((test) => test.file))];
      notes.push(`${count(withCode.length, "test")} removed together with the code under test: ${files.join(", ")}`);
    }
    const byFile = Map.groupBy(
      gone.filter((test) => !withCode.includes(test)),
      (test) => test.file,
    );
    const removed = [...byFile].flatMap(([file, tests]) => {
      if (tests.every((test) => test.newLine === undefined)) return [fileDeleted(file, tests)];
      return tests.length > MANY ? [testsRemoved(file, tests)] : tests.map(testRemoved);
    });
    return [...removed, ...this.unread, ...this.weakened];
  }
}

/** From here on one finding speaks for all tests that a file lost. */
const MANY = 5;

const EMPTY: TestInventory = { tests: [], looseAssertions: 0 };

const TEST_WORD =
  /\b(?:it|test|specify|scenario|example)\b|\btest_|def\s+test|\bTest|\bFuzz|#\[|@\w*Test|\.Run\(|\bIt\(|assert|expect|should|verify|require\.|refute|\b[tb]\.\w|fail|panic!/i;

/** Most edits to a test file touch neither a test's head nor an assertion: then both sides need not be read. */
function concerns({ removed, addedText, kind }: SourceFile): boolean {
  if (kind.language === "rust" && !kind.test && !removed.some(({ text }) => /#\[|assert|fn /.test(text))) return false;
  return TEST_WORD.test(addedText) || removed.some(({ text }) => TEST_WORD.test(text));
}

/** A name that is still there as a literal, but not as the name of a test, is now a row of a table of cases. */
function livesOn(name: string, after: TestInventory, code: CodeText): boolean {
  const quoted = ['"', "'", "`"].reduce((sum, mark) => sum + code.uncommented.split(mark + name + mark).length - 1, 0);
  return quoted > after.tests.filter((test) => test.name === name).length;
}

function testRemoved(test: Located): LedgerEntry {
  return {
    rule: "test-removed",
    file: test.file,
    ...(test.newLine !== undefined && { line: test.newLine, endLine: test.newLine, goneAt: [test.newLine] }),
    snippet: test.declaration,
    title: `The test "${short(test.name)}" is gone`,
    description: `The test "${short(test.name)}" was on line ${test.line} before the change. The change removes it; it does not rename or move it.`,
  };
}

function testsRemoved(file: string, tests: Located[]): LedgerEntry {
  const [first] = tests;
  return {
    ...(first ? testRemoved(first) : fileDeleted(file)),
    title: `${count(tests.length, "test")} are gone`,
    description: `The change removes ${named(tests)}; it does not rename or move them.`,
  };
}

function fileDeleted(file: string, tests?: Located[]): LedgerEntry {
  return {
    rule: "test-removed",
    file,
    snippet: tests?.[0]?.declaration ?? file,
    title: "A test file is gone",
    description: `The file is deleted or no longer named as a test. So ${tests ? named(tests) : "its tests"} no longer run, and the change has none of them elsewhere.`,
  };
}

function named(tests: Located[]): string {
  const names = tests.slice(0, MANY).map((test) => `"${short(test.name)}"`);
  return `${count(tests.length, "test")} (${names.join(", ")}${tests.length > MANY ? ", …" : ""})`;
}

/** Counts only tests that stay, and helpers, so that an assertion moved into a helper is not lost. */
function lostAssertions(
  pairs: [TestCase, TestCase][],
  gone: TestCase[],
  loose: number,
): Omit<LedgerEntry, "file"> | null {
  const deltas = pairs
    .filter(([before, after]) => !before.parent && after.wholeAssertions <= before.wholeAssertions)
    .map(([before, after]) => {
      // A test inside another that is gone is reported by itself.
      const inside = gone.filter((test) => test.parent === before).reduce((sum, test) => sum + test.assertions, 0);
      return { before: before.assertions - inside, after: after.assertions, test: after };
    });
  const net = deltas.reduce((sum, { before, after }) => sum + after - before, loose);
  const weaker = deltas.filter(({ before, after }) => after < before);
  const first = weaker[0]?.test;
  if (net >= 0 || !first) return null;
  const names = weaker.slice(0, 5).map(({ before, after, test }) => `"${short(test.name)}" (${before} to ${after})`);
  return {
    rule: "assertions-removed",
    line: first.line,
    endLine: first.line,
    snippet: first.declaration,
    title: `${count(-net, "assertion")} fewer in the remaining tests`,
    description: `Tests of this file assert less than before: ${names.join(", ")}.`,
  };
}

const ASSERTS = /assert|expect|should|verify|require|refute|fail|panic!/i;

/** A test that asserts less stands elsewhere than the assertions stood: whoever took these out is to blame. */
function goneFrom({ removed }: SourceFile): { goneAt?: number[] } {
  const asserting = removed.filter(({ text }) => ASSERTS.test(text));
  const lines = new Set((asserting.length > 0 ? asserting : removed).map(({ line }) => line));
  return lines.size === 0 ? {} : { goneAt: [...lines] };
}

function lastLine({ text, lineCount }: CodeText): number {
  return text.endsWith("\n") ? lineCount - 1 : lineCount;
}

function newSide(source: SourceFile, oldLine: number, last: number): number {
  const exact = source.removed.find((removed) => removed.oldLine === oldLine);
  const near = exact ?? source.removed.findLast((removed) => removed.oldLine <= oldLine) ?? source.removed[0];
  return Math.min(Math.max(1, near?.line ?? 1), Math.max(1, last));
}

/** The thing under test: `src/cart.test.ts`, `tests/test_cart.py` and `CartTest.java` are all about `cart`, each in its language. */
function subject(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
  const stem = name
    .replace(/\.(?:test|spec|e2e|cy|unit|integration|test-d)$/, "")
    .replace(/^test_|[-_](?:test|spec)s?$|(?:Tests?|Spec|IT)$/g, "")
    .toLowerCase();
  return `${fileKind(path).language} ${stem}`;
}

function short(name: string): string {
  const line = name.replace(/\s+/g, " ").trim();
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? "" : "s"}`;
}
