import { AgentFailed, LastingError } from "../errors/errors.ts";

/** Kinds of named errors that pass by themselves: somebody holds a lock, a remote or a forge is out of reach or overloaded. */
const PASSING_KINDS = ["locked", "unreachable", "rate-limited", "unavailable", "busy"];

/** What the system says of a network, or of a machine, that may be better in a moment. */
const PASSING_CODES = [
  ...["ECONNRESET", "ECONNREFUSED", "ECONNABORTED", "ENOTCONN", "EPIPE", "ETIMEDOUT", "ENETUNREACH", "ENETDOWN"],
  ...["EHOSTUNREACH", "EHOSTDOWN", "EAI_AGAIN", "ENOTFOUND", "EBUSY", "EAGAIN", "EMFILE", "ENFILE", "ENOMEM"],
];

const PASSING_NAMES = ["TimeoutError", "FileBusy"];

/**
 * Whether trying again later would come to the same. Agents come and go, so what they fail by is tried again unless they say
 * otherwise; of everything else only what is known to pass.
 */
export function isLasting(error: unknown): boolean {
  if (error instanceof LastingError) return true;
  if (error instanceof AgentFailed) return error.lasting;
  return !isPassing(error);
}

function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (PASSING_NAMES.includes(error.name)) return true;
  const { kind, code } = error as { kind?: unknown; code?: unknown };
  if (PASSING_KINDS.includes(String(kind)) || PASSING_CODES.includes(String(code))) return true;
  // A request that failed often hides why in its cause.
  return kind === undefined && error.cause !== undefined && isPassing(error.cause);
}
