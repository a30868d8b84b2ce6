import type { Clock } from "@anneal/adapters";
import { newSecret } from "./secrets.ts";

export const SESSION_LIFE_MS = 7 * 24 * 60 * 60_000;

/** Sessions of browsers. They live in the memory of this process alone: who reads the disk finds none, and can make none. */
export interface Sessions {
  begin(): string;
  end(session: string): void;
  isGood(session: string): boolean;
}

export function sessions(clock: Pick<Clock, "now">): Sessions {
  const open = new Map<string, number>();
  return {
    begin() {
      for (const [session, expiresAt] of open) if (expiresAt <= clock.now()) open.delete(session);
      const session = newSecret();
      open.set(session, clock.now() + SESSION_LIFE_MS);
      return session;
    },
    end: (session) => void open.delete(session),
    isGood: (session) => (open.get(session) ?? 0) > clock.now(),
  };
}
