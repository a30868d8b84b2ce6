import type { Clock } from "@anneal/adapters";
import { type Passes, passes } from "./passes.ts";
import { sameSecret } from "./secrets.ts";
import { type EndedSessions, endedHere, type Sessions, sessions } from "./sessions.ts";

const LOGIN_LIFE_MS = 10 * 60_000;
const TICKET_LIFE_MS = 30_000;

/** Who may come in: holders of the token, browsers that came by a login link, sockets with a ticket. */
export interface Gate {
  /** Links to log a browser in, each good once. */
  logins: Passes;
  /** Tickets for sockets, which browsers cannot give a header. */
  tickets: Passes;
  /** A browser's cookie holds its session and nothing else. */
  sessions: Sessions;
  /** The name of that cookie. Browsers do not tell ports apart: two servers with one name would log each other out. */
  cookie: string;
  knows(credentials: { token?: string | undefined; session?: string | undefined }): boolean;
}

export interface GateArgs {
  token: string;
  clock: Pick<Clock, "now">;
  /** Of the server. */
  port: number;
  ended?: EndedSessions;
}

export function gate({ token, clock, port, ended = endedHere() }: GateArgs): Gate {
  const browsers = sessions({ token, clock, ended });
  return {
    logins: passes({ clock, lifeMs: LOGIN_LIFE_MS }),
    tickets: passes({ clock, lifeMs: TICKET_LIFE_MS }),
    sessions: browsers,
    cookie: `anneal_session_${port}`,
    knows({ token: given, session }) {
      if (given !== undefined) return sameSecret(given, token);
      return session !== undefined && browsers.isGood(session);
    },
  };
}
