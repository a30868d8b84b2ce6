import type { ApiLoopState, ApiSignal, SignalName } from "@anneal/types";

/** How a loop that has no pull request yet comes to one: by a word that is legal now, or not now, and why. */
export type Creation = { name: string; word: ApiSignal; hint: string } | { whyNot: string };

type Loop = Pick<ApiLoopState, "stage" | "backTo" | "rail" | "signals">;

/** The review comes first: only a word that the loop itself takes now leads past it. */
export function creationOf({ stage, backTo, rail, signals }: Loop): Creation {
  const word = (signal: SignalName) => signals.find((one) => one.signal === signal);
  if (stage === "ended") return { whyNot: "The loop has ended without a pull request." };
  if (!rail.some((stop) => stop.stage === "opening-pr"))
    return { whyNot: "The policy of this loop opens no pull request." };
  if (stage === "opening-pr") return { whyNot: "The pull request is being opened." };
  const [retry, approve, skip] = [word("retry"), word("approve"), word("skip")];
  if (backTo === "opening-pr" && retry !== undefined)
    return {
      name: "Create the pull request",
      word: retry,
      hint: "Opening the pull request did not work. This tries again.",
    };
  if (approve !== undefined)
    return { name: "Create the pull request", word: approve, hint: "Accepts the change as it is." };
  if (skip !== undefined)
    return {
      name: "Create a draft",
      word: skip,
      hint: "The review has not passed, so this opens a draft that says so. After a passed review the pull request opens automatically.",
    };
  return { whyNot: "The pull request opens automatically after the review passes." };
}
