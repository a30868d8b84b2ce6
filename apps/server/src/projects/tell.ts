import type { Clock } from "@anneal/adapters";
import { currentLoop, pendingLoop, rightOfSignal, sendSignal, signalPendingLoop } from "@anneal/engine/project";
import type { SignalRequest } from "@anneal/types";
import type { Voice } from "../auth/voice.ts";
import { RequestProblem } from "../problem.ts";
import type { ServedProject } from "./served-project.ts";

/** Says a word to an item's loop; one that is not possible now is a conflict, with the reason. Tells whether it waits for the owner. */
export async function tell(
  { root, store }: ServedProject,
  item: string,
  { signal, note, seen }: SignalRequest,
  { voice, clock }: { voice: Voice; clock: Clock },
): Promise<"taken" | "queued"> {
  const said = { signal, ...(note === undefined ? {} : { note }), ...(seen === undefined ? {} : { seen }) };
  const coming = pendingLoop(store, item);
  const row = currentLoop(store, item);
  if (coming === null && row === null) throw new RequestProblem("conflict", `${item} has no loop yet: start it first`);
  const speaker = voice(rightOfSignal(signal));
  const answer =
    coming === null && row !== null
      ? await sendSignal({ root, store, row, ...speaker, clock }, said)
      : await signalPendingLoop({ store, item, loop: coming ?? "", ...speaker, clock }, said);
  if (answer.result === "refused") throw new RequestProblem("conflict", answer.reason);
  return answer.result;
}
