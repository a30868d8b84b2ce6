import type { Clock } from "@anneal/adapters";
import { newSecret } from "./secrets.ts";

/** Secrets that are good for one use, and only for a while. */
export interface Passes {
  /** For the session of a browser, it is good no longer than that. */
  issue(session?: string): { pass: string; expiresAt: number };
  /** Whether it is good, and stays so. */
  has(pass: string): boolean;
  /** Whom it was issued to, if it was good; it is not any more. */
  redeem(pass: string): { session: string | undefined } | null;
}

/** More than this at a time means that somebody asks without ever coming. */
const MOST = 1_000;

export function passes({ clock, lifeMs }: { clock: Pick<Clock, "now">; lifeMs: number }): Passes {
  const open = new Map<string, { expiresAt: number; session: string | undefined }>();
  const dropOld = () => {
    for (const [pass, { expiresAt }] of open) if (expiresAt <= clock.now() || open.size > MOST) open.delete(pass);
  };
  return {
    issue(session) {
      dropOld();
      const pass = newSecret();
      const expiresAt = clock.now() + lifeMs;
      open.set(pass, { expiresAt, session });
      return { pass, expiresAt };
    },
    has: (pass) => (open.get(pass)?.expiresAt ?? 0) > clock.now(),
    redeem(pass) {
      const found = open.get(pass);
      open.delete(pass);
      return found !== undefined && found.expiresAt > clock.now() ? { session: found.session } : null;
    },
  };
}
