import { createHmac } from "node:crypto";
import { appendFileSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Clock } from "@anneal/adapters";
import { newSecret, sameSecret } from "./secrets.ts";

export const SESSION_LIFE_MS = 7 * 24 * 60 * 60_000;

/** Sessions of browsers. Each carries its own proof, so that a server that is started again still knows them. */
export interface Sessions {
  begin(): string;
  end(session: string): void;
  isGood(session: string): boolean;
}

/** Sessions that were ended before their time, by their names. */
export interface EndedSessions {
  has(name: string): boolean;
  add(name: string, expiresAt: number): void;
}

export interface SessionsArgs {
  /** Another token knows none of the sessions of this one. */
  token: string;
  clock: Pick<Clock, "now">;
  ended: EndedSessions;
}

/** A session is `<name>.<when it grows old>.<proof>`. */
export function sessions({ token, clock, ended }: SessionsArgs): Sessions {
  const proofOf = (claim: string) => createHmac("sha256", token).update(`session ${claim}`).digest("base64url");
  const open = (session: string) => {
    const [, claim = "", name = "", until = "", proof = ""] =
      /^(([\w-]{43})\.(\d{1,15}))\.([\w-]{43})$/.exec(session) ?? [];
    const expiresAt = Number(until);
    const good = sameSecret(proof, proofOf(claim)) && expiresAt > clock.now() && !ended.has(name);
    return good ? { name, expiresAt } : null;
  };
  return {
    begin() {
      const claim = `${newSecret()}.${clock.now() + SESSION_LIFE_MS}`;
      return `${claim}.${proofOf(claim)}`;
    },
    end(session) {
      const known = open(session);
      if (known !== null) ended.add(known.name, known.expiresAt);
    },
    isGood: (session) => open(session) !== null,
  };
}

/** Kept for as long as this process runs. */
export function endedHere(names: Iterable<string> = []): EndedSessions {
  const ended = new Set(names);
  return { has: (name) => ended.has(name), add: (name) => void ended.add(name) };
}

/** Kept in the data folder too, a line each, so that whoever logged out stays out, also of other servers with that folder. */
export function endedForGood(dataDir: string): EndedSessions {
  const path = join(dataDir, "ended-sessions");
  let here = endedHere();
  let read = 0;
  const readAgain = () => {
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    if (size === read) return;
    here = endedHere(namesIn(path));
    read = size;
  };
  return {
    has(name) {
      readAgain();
      return here.has(name);
    },
    add(name, expiresAt) {
      here.add(name, expiresAt);
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      appendFileSync(path, `${name} ${new Date(expiresAt).toISOString()}\n`, { mode: 0o600 });
    },
  };
}

function namesIn(path: string): string[] {
  try {
    return readFileSync(path, "utf8")
      .split("\n")
      .flatMap((line) => line.split(" ")[0] || []);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
