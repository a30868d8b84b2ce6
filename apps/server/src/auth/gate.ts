import type { Clock } from "@anneal/adapters";
import type { AutomationToken, Right } from "@anneal/types";
import { type Passes, passes } from "./passes.ts";
import { sameSecret } from "./secrets.ts";
import { type Sessions, sessions } from "./sessions.ts";

const LOGIN_LIFE_MS = 10 * 60_000;
const TICKET_LIFE_MS = 30_000;

/** Whoever came with a token: a name where a person gave it one, and what it may say for a person. */
export interface Bearer {
  name: string | null;
  rights: readonly Right[];
}

/** Who may come in: holders of a token, browsers that came by a login link, sockets with a ticket. */
export interface Gate {
  /** Links to log a browser in, each good once. */
  logins: Passes;
  /** Tickets for sockets, which browsers cannot give a header. */
  tickets: Passes;
  /** A browser's cookie holds its session and nothing else. */
  sessions: Sessions;
  /** The name of that cookie. Browsers do not tell ports apart: two servers with one name would log each other out. */
  cookie: string;
  /** Null for a token that is nobody's. The server's own lies on the disk, so it says nothing for a person. */
  bearer(token: string): Promise<Bearer | null>;
}

export interface GateArgs {
  token: string;
  clock: Pick<Clock, "now">;
  /** Of the server. */
  port: number;
  /** Looks a token up that a person made. */
  automation?: (token: string) => Promise<AutomationToken | null>;
}

export function gate({ token, clock, port, automation = async () => null }: GateArgs): Gate {
  return {
    logins: passes({ clock, lifeMs: LOGIN_LIFE_MS }),
    tickets: passes({ clock, lifeMs: TICKET_LIFE_MS }),
    sessions: sessions(clock),
    cookie: `anneal_session_${port}`,
    async bearer(given) {
      return sameSecret(given, token) ? { name: null, rights: [] } : await automation(given);
    },
  };
}
