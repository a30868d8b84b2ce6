import type { Agent, AgentRequest, AgentRun } from "@anneal/adapters";
import { drained } from "./manual-clock.ts";

/** An agent whose runs end when the test says so. */
export interface PlayedAgent extends Agent {
  /** The prompts of all runs that have started, in order. */
  started: string[];
  /** The prompts of the runs that are under way. */
  running(): string[];
  /** Ends the oldest run with this prompt. */
  end(prompt: string, run?: Partial<AgentRun>): Promise<void>;
}

export function playedAgent(name = "played"): PlayedAgent {
  const started: string[] = [];
  const open: { prompt: string; end(run: AgentRun): void }[] = [];
  return {
    name,
    capabilities: { schema: "prompted", readOnly: "none", cost: "reported", streaming: "none" },
    started,
    running: () => open.map(({ prompt }) => prompt),
    run: ({ prompt }, signal) =>
      new Promise((end) => {
        started.push(prompt);
        open.push({ prompt, end });
        signal.addEventListener("abort", () => {
          const at = open.findIndex((one) => one.end === end);
          if (at >= 0) open.splice(at, 1);
          end({ status: "cancelled", text: "", error: "cancelled", usage: {} });
        });
      }),
    async end(prompt, run = {}) {
      const at = open.findIndex((one) => one.prompt === prompt);
      const [one] = open.splice(at, at < 0 ? 0 : 1);
      if (one === undefined) throw new Error(`no run of ${prompt} is under way`);
      one.end({ status: "finished", text: `answer to ${prompt}`, usage: {}, ...run });
      await drained();
    },
  };
}

export function ask(prompt: string, over: Partial<AgentRequest> = {}): AgentRequest {
  return { role: "reviewer", prompt, cwd: "/", limits: { timeoutMs: 60_000 }, ...over };
}

export const away = (retryAfterMs: number | null = null): Partial<AgentRun> => ({
  status: "failed",
  text: "",
  error: "429",
  rateLimited: { retryAfterMs },
});
