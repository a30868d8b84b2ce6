import type { SignalName } from "@anneal/types";
import { currentLoop } from "../history/loop-history.ts";
import type { EpicPlan } from "../kinds/ticket/plan.ts";
import { type SignalAnswer, type SignalArgs, sendSignal } from "./send-signal.ts";

/** What sends a loop on, in this order: where it stopped for good it may only be tried again. */
const ONWARD: readonly SignalName[] = ["resume", "retry"];

/** Sends an epic's own loop or that of one of its tickets on where it waits for a person; null where nothing is to say. */
export async function resumeWaiting(
  args: Omit<SignalArgs, "row">,
  { key, mergesAgain }: Pick<EpicPlan, "key" | "mergesAgain">,
  item: string,
): Promise<{ signal: SignalName; answer: SignalAnswer } | null> {
  const row = currentLoop(args.store, item);
  if (row?.stage !== "waiting-for-human") return null;
  // A loop whose earlier merges are lost would go on without them: it ends, and the next one makes them all, in order.
  const ways: readonly SignalName[] = item === key && mergesAgain ? ["stop"] : ONWARD;
  const signal = ways.find((one) => row.summary.legal.includes(one));
  return signal === undefined ? null : { signal, answer: await sendSignal({ ...args, row }, { signal }) };
}
