import type { Clock } from "@anneal/adapters";
import { newSecret } from "./secrets.ts";

/** Secrets that are good for one use, and only for a while. */
export interface Passes {
  issue(): { pass: string; expiresAt: number };
  /** Whether it is good, and stays so. */
  has(pass: string): boolean;
  /** Whether it was good; it is not any more. */
  redeem(pass: string): boolean;
}

/** More than this at a time means that somebody asks without ever coming. */
const MOST = 1_000;

export function passes({ clock, lifeMs }: { clock: Pick<Clock, "now">; lifeMs: number }): Passes {
  const open = new Map<string, number>();
  const dropOld = () => {
    for (const [pass, expiresAt] of open) if (expiresAt <= clock.now() || open.size > MOST) open.delete(pass);
  };
  return {
    issue() {
      dropOld();
      const pass = newSecret();
      const expiresAt = clock.now() + lifeMs;
      open.set(pass, expiresAt);
      return { pass, expiresAt };
    },
    has: (pass) => (open.get(pass) ?? 0) > clock.now(),
    redeem(pass) {
      const expiresAt = open.get(pass);
      open.delete(pass);
      return expiresAt !== undefined && expiresAt > clock.now();
    },
  };
}
