import type { AgentRun } from "../../ports.ts";
import { retryAfterIn, troubleOfStatus } from "../cli/trouble.ts";

/** What gemini's complaint means for the next try. Its exit code is what is left of the status in eight bits. */
export function geminiTrouble(words: string, exit: number): Pick<AgentRun, "error" | "rateLimited" | "lasting"> {
  const error = `gemini: ${words}`;
  const status = statusIn(words) ?? STATUSES.find((one) => one % 256 === exit);
  if (NOT_SIGNED_IN.test(words) || EXITS_FOR_A_PERSON.includes(exit))
    return { error: `${error} ${SIGN_IN}`, lasting: true };
  if (status === undefined)
    return TURNED_AWAY.test(words) ? { error, rateLimited: { retryAfterMs: retryAfter(words) } } : { error };
  const trouble = troubleOfStatus(status, retryAfter(words));
  if (trouble.lasting === undefined) return { error, ...trouble };
  return { error: `${error} ${status === 404 ? NO_MODEL : SIGN_IN}`, ...trouble };
}

const SIGN_IN = "Sign in by starting `gemini` once, or set GEMINI_API_KEY.";
const NO_MODEL = "Choose a model that your account has.";
/** Statuses whose rests are not exit codes of its own. */
const STATUSES = [400, 401, 403, 404, 408, 429, 500, 502, 503, 504, 529];
/** What it ends with where nobody is signed in, or its settings are wrong. */
const EXITS_FOR_A_PERSON = [41, 52];
const NOT_SIGNED_IN =
  /api key not valid|api_key_invalid|please set an auth method|invalid auth method|must specify the gemini_api_key/i;
const TURNED_AWAY =
  /overloaded|unavailable|resource.?exhausted|quota|rate.?limit|fetch failed|\beconn(?:refused|reset)\b|\betimedout\b|\benotfound\b|exhausted your capacity/i;

function statusIn(words: string): number | undefined {
  const code = /"code":\s*([45]\d\d)\b/.exec(words)?.[1] ?? /\bstatus:?\s*([45]\d\d)\b/i.exec(words)?.[1];
  return code === undefined ? undefined : Number(code);
}

function retryAfter(words: string): number | null {
  const delay =
    /"retryDelay":\s*"(\d+(?:\.\d+)?)s"/.exec(words)?.[1] ?? /retry after (\d+(?:\.\d+)?)s/i.exec(words)?.[1];
  return delay === undefined ? retryAfterIn(words) : Math.ceil(Number(delay) * 1_000);
}
