import type { Reviewer } from "@anneal/adapters";
import { type DoubtfulPair, settled } from "@anneal/core";
import { namedPairs, readSame, sameSchema } from "@anneal/core/review";
import { asOneText, samePrompt, withFreshNonce } from "@anneal/prompts";
import type { RoundMatches, Usage } from "@anneal/types";
import { errorMessage } from "@anneal/types/unknown";
import { newNonce } from "../nonce.ts";

/** The result of asking a reviewer about pairs that words leave in doubt. */
export interface AskedSame {
  matches: RoundMatches;
  usage: Usage;
  prompt: string;
}

/** Asks, once and after the review is over, which findings are the same. Only what is plainly said to be the same is joined. */
export async function askedSame(
  { name, ask }: NonNullable<Reviewer["questionAgent"]>,
  matches: RoundMatches,
  pairs: readonly DoubtfulPair[],
  signal: AbortSignal,
): Promise<AskedSame> {
  const prompt = sameQuestion(pairs);
  const run = await ask({ prompt, schema: sameSchema, again: "same" }, signal).catch((error: unknown) => ({
    status: "failed" as const,
    text: "",
    error: errorMessage(error),
    usage: {},
  }));
  signal.throwIfAborted();
  const same =
    run.status === "finished"
      ? readSame({ ...run, finished: true }, pairs)
      : { unreadable: run.error ?? `the agent ${run.status}` };
  const answer = "unreadable" in same ? same : { same };
  return { matches: settled(matches, pairs, { by: name, ...answer }), usage: run.usage, prompt };
}

/** The question as it is sent. */
export function sameQuestion(pairs: readonly DoubtfulPair[]): string {
  const named = namedPairs(pairs);
  const earlier = new Map(named.map((one) => [one.earlier, one.pair.earlier]));
  const now = new Map(named.map((one) => [one.now, one.pair.now]));
  const listed = (all: typeof now) => [...all].map(([name, finding]) => ({ name, finding }));
  return asOneText(
    withFreshNonce(newNonce, (nonce) =>
      samePrompt({ nonce, earlier: listed(earlier), now: listed(now), pairs: named }),
    ),
  );
}
