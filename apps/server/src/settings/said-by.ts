import { isDeepStrictEqual } from "node:util";
import type { Clock } from "@anneal/adapters";
import { isRecord } from "@anneal/types/unknown";
import type { Voice } from "../auth/voice.ts";

/**
 * Lets settings be changed by whoever may: they say who judges, and what runs. Consent to push is a right of its own, and who
 * gave it is the server's word, never the sender's.
 */
export function saidBy(voice: Voice, clock: Pick<Clock, "now">): (next: unknown, current: unknown) => unknown {
  voice("settings");
  return (next, current) => {
    if (!isRecord(next) || !isRecord(next.pushConsent)) return next;
    const before = isRecord(current) ? current.pushConsent : undefined;
    if (isDeepStrictEqual(next.pushConsent, before)) return next;
    const at = new Date(clock.now()).toISOString();
    return { ...next, pushConsent: { ...next.pushConsent, ...voice("push"), at } };
  };
}
