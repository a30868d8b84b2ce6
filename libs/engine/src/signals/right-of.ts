import { Right, type SignalName } from "@anneal/types";
import type { PersonsRuling, PersonsSignal } from "./send-signal.ts";

const RULINGS: Record<PersonsRuling, Right> = {
  dismissed: "dismiss",
  "accepted-risk": "accept-risk",
  deferred: "defer",
  open: "reopen",
};

/** What somebody needs to be allowed to say this; null for what only steers the work, or reports, and decides nothing. */
export function rightOf(said: PersonsSignal): Right | null {
  if ("tell" in said) return null;
  return "signal" in said ? rightOfSignal(said.signal) : RULINGS[said.disposition];
}

export function rightOfSignal(signal: SignalName): Right | null {
  return Right.safeParse(signal).data ?? null;
}
