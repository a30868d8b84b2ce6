import type { Agent, FixAnswer, Fixer } from "@anneal/adapters";
import { strictObject } from "@anneal/core/read";
import { AgentFailed } from "./errors.ts";

const FIX_TIMEOUT_MS = 30 * 60_000;

/** Makes a fixer of any agent. What it says about findings that are wrong goes to the next review. */
export function agentFixer(agent: Agent, model?: string): Fixer {
  return {
    name: agent.name,
    async fix({ worktree, prompt, turn, restore }, signal): Promise<FixAnswer> {
      const run = await agent.run(
        {
          role: "fixer",
          prompt,
          cwd: worktree,
          ...(turn === undefined ? {} : { turn }),
          ...(model === undefined ? {} : { model }),
          ...(restore === undefined ? {} : { restore }),
          limits: { timeoutMs: FIX_TIMEOUT_MS },
        },
        signal,
      );
      if (run.status !== "finished") throw new AgentFailed(run.error ?? `the fixer ${run.status}`, run);
      const { text, usage } = run;
      const played = run.model ?? model;
      return { refutations: refutationsIn(text), text, usage, ...(played === undefined ? {} : { model: played }) };
    },
  };
}

/** The refutations at the end of a fixer's answer; one that cannot be read refutes nothing. */
export function refutationsIn(text: string): FixAnswer["refutations"] {
  const blocks = [...text.matchAll(/```json\s*\n([\s\S]*?)\n\s*```/g)].map(([, block = ""]) => parsed(block));
  // Other blocks may stand beside it, such as the report on acceptance criteria.
  const said = blocks.findLast((one) => typeof one === "object" && one !== null && "refuted" in one);
  if (typeof said !== "object" || said === null || !("refuted" in said) || !Array.isArray(said.refuted)) return [];
  return said.refuted.flatMap((entry: unknown) => (isRefutation(entry) ? [entry] : []));
}

function parsed(json: string): unknown {
  const object = strictObject(json);
  return "value" in object ? object.value : undefined;
}

function isRefutation(entry: unknown): entry is FixAnswer["refutations"][number] {
  if (typeof entry !== "object" || entry === null || !("fingerprint" in entry) || !("evidence" in entry)) return false;
  const { fingerprint, evidence } = entry;
  return typeof fingerprint === "string" && typeof evidence === "string" && evidence.trim() !== "";
}
