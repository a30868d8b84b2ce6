import type { ApiItem, ApiLoopState, DispositionRequest, SignalName } from "@anneal/types";
import { errorMessage } from "@anneal/types/unknown";
import { api } from "./api.ts";
import { startAddress } from "./plans.ts";
import { at, loopAt } from "./queries.ts";

/** Gives what the server refused, in its own words, or null. */
async function refusal(act: () => Promise<unknown>): Promise<string | null> {
  try {
    await act();
    return null;
  } catch (error) {
    return errorMessage(error);
  }
}

/** Says a word about a loop as it is on the screen. */
export function saySignal(
  project: string,
  { item, seen }: Pick<ApiLoopState, "item" | "seen">,
  signal: SignalName,
  note: string,
): Promise<string | null> {
  const body = { signal, seen, ...(note === "" ? {} : { note }) };
  return refusal(() => api.send("POST", at(project, `items/${encodeURIComponent(item)}/signal`), body));
}

export function start(project: string, item: Pick<ApiItem, "id" | "kind" | "loop">): Promise<string | null> {
  return refusal(() => api.send("POST", startAddress(project, item)));
}

export function rule(
  project: string,
  loop: string,
  fingerprint: string,
  ruling: DispositionRequest,
): Promise<string | null> {
  const path = loopAt(project, loop, `/findings/${encodeURIComponent(fingerprint)}/disposition`);
  return refusal(() => api.send("POST", path, ruling));
}
