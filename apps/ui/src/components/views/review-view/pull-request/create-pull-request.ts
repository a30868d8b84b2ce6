import type { ApiLoopState, ApiSignal, SignalName } from "@anneal/types";

/** How a loop that has no pull request yet comes to one: by a word that is legal now, or not now, and why. */
export type Creation = { name: string; word: ApiSignal; hint: string } | { whyNot: string };

type Loop = Pick<ApiLoopState, "stage" | "backTo" | "rail" | "signals">;

/** The review comes first: only a word that the loop itself takes now leads past it. */
export function creationOf({ stage, backTo, rail, signals }: Loop): Creation {
  const word = (signal: SignalName) => signals.find((one) => one.signal === signal);
  if (stage === "ended") return { whyNot: "The loop has ended without one." };
  if (!rail.some((stop) => stop.stage === "opening-pr"))
    return { whyNot: "The policy of this work leads to no pull request." };
  if (stage === "opening-pr") return { whyNot: "It is being opened now." };
  const [retry, approve, skip] = [word("retry"), word("approve"), word("skip")];
  if (backTo === "opening-pr" && retry !== undefined)
    return { name: "Create the pull request", word: retry, hint: "It was held back: this tries it once more." };
  if (approve !== undefined)
    return { name: "Create the pull request", word: approve, hint: "You take the change as it stands." };
  if (skip !== undefined)
    return {
      name: "Create a draft",
      word: skip,
      hint: "The review has not passed: a draft says so. Wait for the review, and the pull request opens by itself.",
    };
  return { whyNot: "The review comes first: it opens by itself once the review has passed." };
}
