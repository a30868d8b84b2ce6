import type { FixAccount } from "@anneal/core";
import { storyFixCommitMessage } from "@anneal/core/write";
import type { LoopState } from "@anneal/types";
import type { StageWork } from "../loop/driver.ts";
import { type LoopWorkArgs, loopWork, type Players } from "./loop-work.ts";

export interface BranchWorkArgs extends Omit<LoopWorkArgs, "players" | "commitMessage" | "steps"> {
  players: Omit<Players, "implementer">;
}

/** The work of a loop over a branch that exists already: nobody implements, and nothing leaves the machine. */
export function branchWork({ players, ...args }: BranchWorkArgs): StageWork {
  const implementer = {
    name: "nobody",
    implement: async () => {
      throw new Error("a loop on a branch starts with its review");
    },
  };
  return loopWork({ ...args, players: { ...players, implementer }, commitMessage, steps: {} });
}

function commitMessage({ rounds }: LoopState, fix: FixAccount): string {
  const rules = new Set(fix.fixed.map(({ rule, category }) => rule ?? category));
  return storyFixCommitMessage(Math.max(1, rounds.length), fix, rules.size === 0 ? undefined : [...rules].join(", "));
}
