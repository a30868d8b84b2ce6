import { openFindings } from "@anneal/core";
import { storyFixCommitMessage } from "@anneal/core/write";
import type { LoopState } from "@anneal/types";
import type { StageWork } from "./driver.ts";
import { type LoopWorkArgs, loopWork, type Players } from "./loop-work.ts";

export interface BranchWorkArgs extends Omit<LoopWorkArgs, "players" | "commitMessage" | "steps"> {
  players: Omit<Players, "implementer">;
}

/** The work of a loop over a branch that exists already: nobody implements, and nothing leaves the machine. */
export function branchWork({ players, ...args }: BranchWorkArgs): StageWork {
  const implementer = {
    name: "nobody",
    implement: async () => {
      throw new Error("a loop over a branch starts with its review");
    },
  };
  return loopWork({ ...args, players: { ...players, implementer }, commitMessage, steps: {} });
}

function commitMessage(state: LoopState): string {
  const rules = new Set(openFindings(state.findings).map(({ finding }) => finding.rule ?? finding.category));
  const brief = rules.size === 0 ? "review findings" : [...rules].join(", ");
  return storyFixCommitMessage(Math.max(1, state.rounds.length), brief);
}
