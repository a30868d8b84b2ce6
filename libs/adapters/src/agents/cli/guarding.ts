import type { CommandResult } from "../../command.ts";
import type { AgentRequest, AgentRun } from "../../ports.ts";
import { strayed } from "../../sandbox/git-guard.ts";
import type { StartOptions } from "../../start-command.ts";
import { mayWrite } from "./roles.ts";

/** What of git's own files is put back after a run. What readers change is left as it is: it tells whether they did. */
export function guardOf({ role }: Pick<AgentRequest, "role">): Pick<StartOptions, "guarded"> {
  return mayWrite(role) ? { guarded: "settings" } : {};
}

/** A run in which git was led elsewhere, or to other programs, is none that counts, whatever came of it. */
export function ledAstray(run: AgentRun, name: string, { putBack }: Pick<CommandResult, "putBack">): AgentRun {
  if (putBack === undefined || run.status === "cancelled") return run;
  const { structured: _, lasting: __, rateLimited: ___, ...rest } = run;
  const maybeYou = putBack.some((one) => one.includes("kept as")) ? "; if that was you, do it again now" : "";
  // A person may have removed or steered the worktree meanwhile: nothing tells whose doing it was.
  const error = `${name}, or somebody meanwhile, ${strayed(putBack)}${maybeYou}`;
  return { ...rest, status: "failed", text: "", error };
}
