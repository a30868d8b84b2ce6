import type { AgentRun } from "../../ports.ts";
import { advised, retryAfterIn, troubleOfStatus } from "./trouble.ts";

type Failure = Pick<AgentRun, "error" | "rateLimited" | "lasting">;

/** What kind of failure an agent's own message means, where it gives no code: turned away, a person's to mend, or neither. */
export function failureOf(agent: string, said: string, status?: number): Failure {
  const error = `${agent} failed: ${lastWords(said)}`;
  const code = status ?? codeIn(said);
  if (code === 401 || code === 403 || NOT_SIGNED_IN.test(said)) {
    return { error: advised(error, `Sign in, or check its key: anneal agents test ${agent}`), lasting: true };
  }
  if (code === 404 || NO_SUCH_MODEL.test(said))
    return { error: advised(error, "Check the name of the model."), lasting: true };
  if (code !== undefined) return { error, ...troubleOfStatus(code, retryAfterIn(said)) };
  return TURNED_AWAY.test(said) ? { error, rateLimited: { retryAfterMs: retryAfterIn(said) } } : { error };
}

const NOT_SIGNED_IN =
  /not (?:logged|signed) in|(?:please |must )(?:log|sign) ?in|invalid (?:x-)?api[- ]?key|incorrect api key|unauthori[sz]ed|authentication (?:failed|required|error)|authentication_error/i;
const NO_SUCH_MODEL =
  /(?:unknown|unsupported|invalid|no such) model|model[^.\n]{0,60}(?:not found|does not exist|not supported)/i;
const TURNED_AWAY =
  /rate.?limit|too many requests|overloaded|quota exceeded|resource.?exhausted|service unavailable|internal server error|bad gateway|gateway timeout|\beconn(?:refused|reset)\b|connection (?:refused|reset|error)|fetch failed|\betimedout\b|\benotfound\b|stream disconnected/i;

/** A status of HTTP that is named as such. */
function codeIn(said: string): number | undefined {
  const found = /(?:status(?: code)?|http|api error|error code)\D{0,3}\b([45]\d\d)\b/i.exec(said)?.[1];
  return found === undefined ? undefined : Number(found);
}

const LAST_WORDS = 600;

function lastWords(said: string): string {
  const line = said.replace(/\s+/g, " ").trim();
  return line === "" ? "it printed nothing." : line.length > LAST_WORDS ? `…${line.slice(-LAST_WORDS)}` : line;
}
