import { systemClock, UsageError } from "@anneal/engine";
import { automationTokenOf, isAutomationToken, isOfOurs, userName } from "@anneal/engine/people";
import type { Right, Speaker, Via } from "@anneal/types";

/** Who runs this, for the log. */
export const person = userName;

/**
 * Who says this. A person's word needs whoever sits at this terminal, or a token that a person made for it; what only
 * steers the work anybody says who runs this program. What our own loops started says nothing at all.
 */
export async function speaker(right: Right): Promise<Speaker & { via: Via }>;
export async function speaker(right: Right | null): Promise<Speaker>;
export async function speaker(right: Right | null): Promise<Speaker> {
  refuseOurs();
  if (isAtTerminal()) return { by: userName(), via: "terminal" };
  const text = process.env.ANNEAL_TOKEN ?? "";
  const token = await automationTokenOf(text, systemClock.now());
  if (token !== null && (right === null || token.rights.includes(right))) return { by: token.name, via: "token" };
  if (right === null) return { by: userName() };
  throw new UsageError(`${why(text, token?.name, right)}: ${ways(right)}`);
}

/** For what not even a token may do. */
export function atTerminal(what: string): Speaker {
  refuseOurs();
  if (isAtTerminal()) return { by: userName(), via: "terminal" };
  throw new UsageError(`${what} needs a person at a terminal`);
}

function isAtTerminal(): boolean {
  return process.stdin.isTTY === true;
}

function refuseOurs(): void {
  if (isOfOurs())
    throw new UsageError(
      "programs that a loop started cannot send signals or give consent: run this command yourself in a terminal",
    );
}

function why(text: string, name: string | undefined, right: Right): string {
  if (name !== undefined) return `the token ${name} does not have the right ${right}`;
  if (isAutomationToken(text)) return "the token in ANNEAL_TOKEN has expired or is unknown";
  return `${right} needs a person, and standard input is not a terminal`;
}

function ways(right: Right): string {
  return `use a terminal or the board, or set ANNEAL_TOKEN (anneal token create NAME --right ${right})`;
}
