import type { DoubtfulPair } from "../identity/index.ts";
import { type AgentAnswer, reasonOf, unreadable, wholly } from "../read/answer/answer.ts";
import { fieldsOf, filled, flag, inspect, listOf as listIn, required } from "../read/json/decode.ts";
import { objectIn } from "../read/json/find-object.ts";
import { listOf, record } from "./answer-schema.ts";

const SHAPE = { whole: ["pairs"], inner: ["earlier", "now", "same"], telling: /"pairs"\s*:/ };

/** The answer of whoever was asked which findings are one. */
export const sameSchema = record({
  pairs: listOf(record({ earlier: { type: "string" }, now: { type: "string" }, same: { type: "boolean" } })),
});

/** A pair with the short names that its findings have in the question and in the answer. */
export interface NamedPair {
  earlier: string;
  now: string;
  pair: DoubtfulPair;
}

/** E1, E2… for earlier findings and N1, N2… for those of this round, in the order in which the pairs name them. */
export function namedPairs(pairs: readonly DoubtfulPair[]): NamedPair[] {
  const earlier = [...new Set(pairs.map(({ fingerprint }) => fingerprint))];
  const now = [...new Set(pairs.map(({ finding }) => finding))];
  return pairs.map((pair) => ({
    earlier: `E${earlier.indexOf(pair.fingerprint) + 1}`,
    now: `N${now.indexOf(pair.finding) + 1}`,
    pair,
  }));
}

/** The pairs that it calls the same. What it leaves out is not the same; an answer that breaks its form joins nothing. */
export function readSame(answer: AgentAnswer, asked: readonly DoubtfulPair[]): DoubtfulPair[] | { unreadable: string } {
  try {
    if (answer.finished !== true) return { unreadable: "The reviewer did not finish its answer." };
    const { value } = objectIn(answer, SHAPE);
    inspect(wholly, value, [...SHAPE.whole, ...SHAPE.inner]);
    const place = "The answer";
    const fields = fieldsOf(wholly, value, place, SHAPE.whole, () => {});
    const named = new Map(namedPairs(asked).map((one) => [`${one.earlier} and ${one.now}`, one.pair]));
    const decided = new Set<string>();
    const continues = new Set<number>();
    return required(fields, "pairs", place, listIn(decode)).flatMap(({ earlier, now, same }) => {
      const name = `${earlier} and ${now}`;
      const pair = named.get(name) ?? unreadable(`${place} names the pair ${name}, which was not asked about.`);
      if (decided.has(name)) unreadable(`${place} names the pair ${name} twice.`);
      decided.add(name);
      if (!same) return [];
      if (continues.has(pair.finding)) unreadable(`${place} matches finding ${now} with two earlier findings.`);
      continues.add(pair.finding);
      return [pair];
    });
  } catch (error) {
    return { unreadable: reasonOf(error) };
  }
}

function decode(value: unknown, path: string): { earlier: string; now: string; same: boolean } {
  const fields = fieldsOf(wholly, value, path, SHAPE.inner, () => {});
  return {
    earlier: required(fields, "earlier", path, filled),
    now: required(fields, "now", path, filled),
    same: required(fields, "same", path, flag),
  };
}
