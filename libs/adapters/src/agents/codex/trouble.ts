import { advised, retryAfterIn, type Trouble, troubleOfStatus } from "../cli/trouble.ts";

/** What codex's message means for the next try. It says nothing but words, so the words have to do. */
export function codexTrouble(message: string): Trouble {
  const status = /\b(?:unexpected|last) status:? (\d{3})\b/i.exec(message)?.[1];
  if (status !== undefined) return troubleOfStatus(Number(status), retryAfterIn(message));
  if (FOR_A_PERSON.test(message)) return { lasting: true };
  if (TURNED_AWAY.test(message)) return { rateLimited: { retryAfterMs: retryAfterIn(message) } };
  return {};
}

const FOR_A_PERSON =
  /not logged in|please (?:log|sign) in|login required|refresh token|unauthorized|invalid api key|missing environment variable|quota exceeded|check your plan|model provider .* not found|does not exist|not supported when using|loading config/i;
const TURNED_AWAY =
  /high demand|at capacity|overloaded|rate limit|usage limit|too many requests|connection failed|error sending request|connection refused|internal server error|failed to lookup address/i;

/** The message with what a person can do about it, where only a person can. */
export function codexAdvice(message: string, { lasting }: Trouble, model: string | undefined): string {
  if (lasting === undefined) return `codex: ${message}`;
  const isModel = /\b404\b|does not exist|not supported/i.test(message);
  if (isModel)
    return advised(
      `codex: ${message}`,
      `Choose a model that your account has${model === undefined ? "" : `, instead of ${model}`}.`,
    );
  return advised(`codex: ${message}`, "Sign in with `codex login`, and look through config.toml in CODEX_HOME.");
}
