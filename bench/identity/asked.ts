import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type DoubtfulPair, doubtfulPairs, matchRound, settled, track } from "@anneal/core";
import { namedPairs, readSame } from "@anneal/core/review";
import type { RoundMatches } from "@anneal/types";
import { withoutNonce } from "../../libs/engine/src/review/nonce.ts";
import { sameQuestion } from "../../libs/engine/src/review/reviewers/asked-same.ts";
import { seen } from "./measured.ts";
import type { Prepared } from "./prepared.ts";
import { keysOf } from "./scenario.ts";

/** What the product would ask of one scenario, after the words had their say. */
export interface Question {
  /** Tells nothing of the scenario to whoever answers. */
  name: string;
  prepared: Prepared;
  matches: RoundMatches;
  pairs: DoubtfulPair[];
  prompt: string;
  /** Of the question without its nonce: an answer to another one does not count. */
  hash: string;
}

export function questions(all: readonly Prepared[]): Question[] {
  return all.flatMap((prepared) => {
    if (prepared.scenario.kind !== "rounds") return [];
    const { earlier, later, moves, renames } = prepared;
    const ledger = track([], seen(1, earlier, { renames: {} }));
    const matches = matchRound(ledger, later, { moves, renames });
    const pairs = doubtfulPairs(ledger, later, { moves, renames }, matches);
    if (pairs.length === 0) return [];
    const prompt = sameQuestion(pairs);
    const hash = createHash("sha256").update(withoutNonce(prompt)).digest("hex");
    const name = `${all.indexOf(prepared) + 1}`.padStart(3, "0");
    return [{ name, prepared, matches, pairs, prompt, hash }];
  });
}

/** What each scenario's findings become, where somebody answers; no entry where nobody was asked, or nobody answered. */
export type Answers = ReadonlyMap<Prepared, RoundMatches>;

/** As a reader answers who makes no mistake: the most that asking can bring. */
export function rightAnswers(asked: readonly Question[]): Answers {
  return answered(asked, ({ pairs, prepared: { scenario, earlier } }) => {
    const keyOf = ({ earlier: one }: DoubtfulPair) =>
      scenario.earlier[
        earlier.findIndex(({ title, description }) => title === one.title && description === one.description)
      ]?.key ?? "";
    const named = new Set<number>();
    return JSON.stringify({
      pairs: namedPairs(pairs).map(({ earlier: e, now, pair }) => {
        const later = scenario.later[pair.finding];
        const same = later !== undefined && keysOf(later).includes(keyOf(pair)) && !named.has(pair.finding);
        if (same) named.add(pair.finding);
        return { earlier: e, now, same };
      }),
    });
  });
}

const RECORDED = new URL("answers.json", import.meta.url);

/** What fresh readers answered to exactly these questions; null while some have no answer. */
export function recordedAnswers(asked: readonly Question[], file: URL = RECORDED): Answers | null {
  const recorded: Record<string, string> = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  if (asked.some(({ hash }) => recorded[hash] === undefined)) return null;
  return answered(asked, ({ hash }) => recorded[hash] ?? "");
}

/** The product's own reader says what an answer is worth. */
function answered(asked: readonly Question[], answerTo: (question: Question) => string): Answers {
  return new Map(
    asked.map((question) => {
      const { prepared, matches, pairs } = question;
      const read = readSame({ text: answerTo(question), finished: true }, pairs);
      const answer = "unreadable" in read ? read : { same: read };
      return [prepared, settled(matches, pairs, { by: "reader", ...answer })];
    }),
  );
}

/** Writes the questions as they would be sent. */
export function writeQuestions(asked: readonly Question[], dir: string): void {
  mkdirSync(dir, { recursive: true });
  for (const { name, prompt } of asked) writeFileSync(join(dir, `${name}.md`), `${prompt}\n`);
}

/** Keeps the answers that lie in a folder beside the names of their questions; gives the names of those that have none. */
export function keepAnswers(asked: readonly Question[], dir: string, file: URL = RECORDED): string[] {
  const given = new Set(readdirSync(dir));
  const kept = asked.flatMap(({ name, hash }) =>
    given.has(`${name}.json`) ? [[hash, readFileSync(join(dir, `${name}.json`), "utf8").trim()]] : [],
  );
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`);
  return asked.filter(({ name }) => !given.has(`${name}.json`)).map(({ name }) => name);
}
