import { join } from "node:path";
import { keepAnswers, questions, recordedAnswers, rightAnswers, writeQuestions } from "./asked.ts";
import { type Judged, judged } from "./measured.ts";
import { prepared } from "./prepared.ts";
import { type Scenario, scenarios } from "./scenario.ts";

/** One line of the result. */
export interface Row {
  what: string;
  of: number;
  hits: number;
  /** Least or largest share that is good enough; without one, the line is for information. */
  limit?: { atLeast: number } | { atMost: number };
}

/** What the product takes for the same finding, beside what careful readers call the same: by words, and with a reviewer asked. */
export async function identityRows(
  dir: string,
  all: readonly Scenario[],
): Promise<{ byWords: Row[]; asked: Row[] | null }> {
  const ready = await prepared(join(dir, "identity"), all);
  const answers = recordedAnswers(questions(ready));
  return { byWords: rows(judged(ready)), asked: answers === null ? null : rows(judged(ready, answers)) };
}

export async function identityBench(dir: string): Promise<{ text: string; isMet: boolean }> {
  const all = await prepared(join(dir, "identity"), scenarios());
  const title = `Identity of findings: ${all.length} scenarios, in which readers who knew no matcher say which findings are the same`;
  const asked = questions(all);
  const byWords = rows(judged(all));
  const answers = recordedAnswers(asked);
  const counted = `${asked.length} questions about ${asked.flatMap(({ pairs }) => pairs).length} pairs`;
  if (answers === null) {
    const note = `The ${counted} that a reviewer would be asked have no recorded answers, so this is by words alone.`;
    return { text: [title, table(byWords), note, ""].join("\n\n"), isMet: byWords.every(isMet) };
  }
  const found = rows(judged(all, answers));
  // What is promised is promised of a product that asks.
  const facts = byWords.map(({ limit: _, ...fact }) => fact);
  const text = [title, "By words alone:", table(facts), `With the reviewer asked, ${counted}:`, table(found), ""];
  return { text: text.join("\n\n"), isMet: found.every(isMet) };
}

/** Writes what the product would ask into a folder, for fresh readers to answer beside it (NNN.md, NNN.json). */
export async function identityQuestions(dir: string, into: string): Promise<string> {
  const all = await prepared(join(dir, "identity"), scenarios());
  const asked = questions(all);
  writeQuestions(asked, into);
  const best = table(rows(judged(all, rightAnswers(asked))));
  const pairs = asked.flatMap((one) => one.pairs).length;
  return `${asked.length} questions about ${pairs} pairs are in ${into}. If every answer were right:\n\n${best}\n`;
}

/** Takes over what they answered, from the same folder. */
export async function identityAnswers(dir: string, from: string): Promise<string> {
  const missing = keepAnswers(questions(await prepared(join(dir, "identity"), scenarios())), from);
  return `The answers are kept. Without an answer: ${missing.join(", ") || "none"}\n`;
}

export function isMet({ of, hits, limit }: Row): boolean {
  if (limit === undefined) return true;
  return "atLeast" in limit ? hits >= limit.atLeast * of : hits <= limit.atMost * of;
}

function rows(all: readonly Judged[]): Row[] {
  const same = all.filter(({ later, result }) => later.same !== null && result !== "second");
  const others = all.filter(({ later }) => later.same === null);
  const kept = (what: string, some: readonly Judged[], atLeast?: number): Row => ({
    what,
    of: some.length,
    hits: some.filter(({ result }) => result === "kept").length,
    ...(atLeast === undefined ? {} : { limit: { atLeast } }),
  });
  const wrong = (what: string, some: readonly Judged[], atMost?: number): Row => ({
    what,
    of: some.length,
    hits: some.filter(({ result }) => result === "wrong").length,
    ...(atMost === undefined ? {} : { limit: { atMost } }),
  });
  const worded = (...words: string[]) => same.filter(({ later }) => words.includes(later.words ?? ""));
  const of = (kind: Judged["kind"], some: readonly Judged[]) => some.filter((one) => one.kind === kind);
  const drifts = [...new Set(same.flatMap(({ later }) => later.drift ?? []))].sort();
  return [
    kept("kept: all pairs", same),
    kept("kept: words equal", worded("equal"), KEPT_EQUAL),
    kept("kept: reworded", worded("light", "heavy"), KEPT_REWORDED),
    kept("kept: reworded lightly", worded("light")),
    kept("kept: reworded heavily", worded("heavy")),
    ...drifts.map((drift) =>
      kept(
        `kept: drift of ${drift}`,
        same.filter(({ later }) => later.drift?.includes(drift)),
      ),
    ),
    kept("kept: one reviewer over rounds", of("rounds", same)),
    kept("kept: two reviewers of one state", of("reviewers", same)),
    wrong("wrong merges", all, WRONG),
    wrong("wrong: a near miss taken for the same", others),
    wrong("wrong: the same taken for another", same),
    wrong("wrong: over rounds", of("rounds", all)),
    wrong("wrong: two reviewers", of("reviewers", all)),
  ];
}

const KEPT_EQUAL = 0.98;
const KEPT_REWORDED = 0.8;
const WRONG = 0.01;

function table(all: readonly Row[]): string {
  const cells = [["what", "of", "count", "share", "limit", "ok"], ...all.map(row)];
  const widths = cells[0]?.map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0))) ?? [];
  const lines = cells.map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | "));
  const rule = widths.map((width) => "-".repeat(width)).join("-|-");
  return [lines[0], rule, ...lines.slice(1)].map((line) => line?.trimEnd()).join("\n");
}

function row(one: Row): string[] {
  const { what, of, hits, limit } = one;
  const percent = (share: number) => `${(100 * share).toFixed(1)}%`;
  const bound =
    limit === undefined ? "" : "atLeast" in limit ? `≥ ${percent(limit.atLeast)}` : `≤ ${percent(limit.atMost)}`;
  const ok = limit === undefined ? "" : isMet(one) ? "yes" : "NO";
  return [what, `${of}`, `${hits}`, of === 0 ? "" : percent(hits / of), bound, ok];
}
