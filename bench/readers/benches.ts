import type { Contract } from "@anneal/types";
import type { Bench } from "../table.ts";
import { CONTRACTS, type ReadAnswer, readAnswers } from "./read-answers.ts";

/** At most so many of an honest reviewer's answers may be sent back; none may be turned into its opposite. */
export const MOST_INCONCLUSIVE = 5;

/** What the readers make of honest answers, as people and models write them. */
export function readerBenches(): Record<string, () => Bench> {
  return Object.fromEntries(CONTRACTS.map((contract) => [`answers in ${contract}`, () => reading(contract)]));
}

export interface Tally {
  answers: number;
  right: number;
  inconclusive: number;
  wrongPasses: number;
  wrongFails: number;
}

export function tally(answers: readonly ReadAnswer[]): Tally {
  const count = (is: (answer: ReadAnswer) => boolean) => answers.filter(is).length;
  return {
    answers: answers.length,
    right: count(({ meant, verdict }) => verdict === meant),
    inconclusive: count(({ verdict }) => verdict === "inconclusive"),
    wrongPasses: count(({ meant, verdict }) => verdict === "pass" && meant === "fail"),
    wrongFails: count(({ meant, verdict }) => verdict === "fail" && meant === "pass"),
  };
}

function reading(contract: Contract): Bench {
  const read = readAnswers(contract);
  const { answers, right, inconclusive, wrongPasses, wrongFails } = tally(read);
  const others = read.filter(({ meant, verdict }) => verdict !== meant);
  return {
    title: `Honest answers in ${contract}: ${answers}, of which ${right} with the right verdict`,
    measures: [
      { measure: "inconclusive", ours: (100 * inconclusive) / answers, unit: "%", limit: MOST_INCONCLUSIVE },
      { measure: "wrong passes", ours: wrongPasses, unit: "answers", limit: 0 },
      { measure: "wrong fails", ours: wrongFails, unit: "answers", limit: 0 },
    ],
    ...(others.length === 0
      ? {}
      : { note: others.map(({ name, verdict, reason }) => `${name}: ${verdict}: ${reason}`).join("\n") }),
  };
}
