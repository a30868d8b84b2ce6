import { isAgentAddress } from "./agent-mark.ts";
import type { LoggedMove } from "./ref-log.ts";

/** What git's log says where we put a branch back. */
export const PUT_BACK = "put back: an agent moved it";

/** The moves at the end of a log that agents made, whichever they were, and what we put back of them; a person's move ends it. */
export function agentsMoves(moves: readonly LoggedMove[]): LoggedMove[] {
  const isPersons = ({ by, why }: LoggedMove) => !isAgentAddress(by) && why !== PUT_BACK && !RENAMED.test(why);
  return moves.slice(moves.findLastIndex(isPersons) + 1);
}

/** Where a branch stood before all agents that moved it; null where one of them made it, unless it was there already. */
export function beforeAgents(moves: readonly LoggedMove[], before: string | undefined): string | null {
  const from = moves.find(({ by }) => isAgentAddress(by))?.from;
  return from === undefined || NOWHERE.test(from) ? (before ?? null) : from;
}

/** What git's log says where a branch got another name, which moves it nowhere. */
export const RENAMED = /^Branch: renamed (refs\/heads\/\S+) to refs\/heads\/\S+$/;

/** How git's log writes a ref that is not there. */
export const NOWHERE = /^0*$/;
