import type { Clock } from "@anneal/adapters";
import { type Passes, passes } from "./passes.ts";
import { newSecret, sameSecret } from "./secrets.ts";

export const SESSION_COOKIE = "anneal_session";

const LOGIN_LIFE_MS = 10 * 60_000;
const TICKET_LIFE_MS = 30_000;
const SESSION_LIFE_MS = 7 * 24 * 60 * 60_000;

/** Who may come in: holders of the token, browsers that came by a login link, sockets with a ticket. */
export interface Gate {
  /** Links to log a browser in, each good once. */
  logins: Passes;
  /** Tickets for sockets, which browsers cannot give a header. */
  tickets: Passes;
  /** A session for a browser; its cookie holds nothing else. */
  newSession(): string;
  endSession(session: string): void;
  knows(credentials: { token?: string | undefined; session?: string | undefined }): boolean;
}

export function gate(token: string, clock: Pick<Clock, "now">): Gate {
  const sessions = new Map<string, number>();
  return {
    logins: passes({ clock, lifeMs: LOGIN_LIFE_MS }),
    tickets: passes({ clock, lifeMs: TICKET_LIFE_MS }),
    newSession() {
      for (const [one, expiresAt] of sessions) if (expiresAt <= clock.now()) sessions.delete(one);
      const session = newSecret();
      sessions.set(session, clock.now() + SESSION_LIFE_MS);
      return session;
    },
    endSession: (session) => void sessions.delete(session),
    knows({ token: given, session }) {
      if (given !== undefined) return sameSecret(given, token);
      return session !== undefined && (sessions.get(session) ?? 0) > clock.now();
    },
  };
}
