import type { Agent, FixAnswer, Fixer } from "@anneal/adapters";
import { strictObject } from "@anneal/core/read";
import type { TrackedFinding } from "@anneal/types";
import { AgentFailed } from "../errors/errors.ts";

const FIX_TIMEOUT_MS = 30 * 60_000;

/** Makes a fixer of any agent. What it says about findings that are wrong goes to the next review. */
export function agentFixer(agent: Agent, model?: string): Fixer {
  return {
    name: agent.name,
    async fix({ worktree, findings, prompt, turn, restore }, signal): Promise<FixAnswer> {
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
      const { model: played } = run;
      const addressed = addressedIn(text, findings);
      return {
        refutations: refutationsIn(text),
        ...(addressed === null ? {} : { addressed }),
        text,
        usage,
        ...(played === undefined ? {} : { model: played }),
      };
    },
  };
}

/** The refutations at the end of a fixer's answer; one that cannot be read refutes nothing. */
export function refutationsIn(text: string): FixAnswer["refutations"] {
  const said = closingOf(text, "refuted");
  return said.flatMap((entry) => (isRefutation(entry) ? [entry] : []));
}

/** What a fixer says that it fixed; nothing at all where it names none of the open findings in a form that can be read. */
export function addressedIn(text: string, open: readonly Pick<TrackedFinding, "fingerprint">[]): string[] | null {
  const said = closingOf(text, "addressed");
  const known = open.map(({ fingerprint }) => fingerprint).filter((fingerprint) => said.includes(fingerprint));
  return known.length === 0 ? null : known;
}

/** One list of the block that ends an answer. Other blocks may stand next to it, such as the report on acceptance criteria. */
function closingOf(text: string, key: "refuted" | "addressed"): unknown[] {
  const blocks = [...text.matchAll(/```json\s*\n([\s\S]*?)\n\s*```/g)].map(([, block = ""]) => parsed(block));
  const said = blocks.findLast((one) => typeof one === "object" && one !== null && key in one);
  const list = (said as Record<string, unknown> | undefined)?.[key];
  return Array.isArray(list) ? list : [];
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
