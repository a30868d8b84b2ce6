import { createHash } from "node:crypto";
import { errorMessage } from "@anneal/types/unknown";
import type { Agent, AgentRequest, AgentRun } from "../../ports.ts";
import { applyEdits, type FileEdit } from "../scripted/edits.ts";
import { CASSETTE_VERSION, type Cassette, loadCassette, type RecordedRun, saveCassette } from "./cassette.ts";
import { gitWorktreeDiff, type WorktreeDiff } from "./diff.ts";

export { loadCassette } from "./cassette.ts";
export type { WorktreeDiff } from "./diff.ts";

/** Lets an agent work and records each run, with the edits that it made, into a new cassette. */
export function recordingAgent(
  inner: Agent,
  cassettePath: string,
  { diff = gitWorktreeDiff }: { diff?: WorktreeDiff } = {},
): Agent {
  const cassette: Cassette = { version: CASSETTE_VERSION, agent: inner.name, runs: [] };
  let saved: Promise<void> = Promise.resolve();

  async function record(request: AgentRequest, run: AgentRun, edits: FileEdit[]): Promise<void> {
    const { status, rateLimited, ...said } = run;
    // A run that was cancelled or turned away says nothing about the agent.
    if (status === "cancelled" || (rateLimited !== undefined && status !== "finished")) return;
    const again = request.again === undefined ? {} : { again: request.again };
    cassette.runs.push({ role: request.role, ...again, promptHash: hashOf(request.prompt), status, ...said, edits });
    saved = saved.catch(() => {}).then(() => saveCassette(cassettePath, cassette));
    await saved;
  }

  return {
    name: inner.name,
    capabilities: inner.capabilities,
    async run(request, signal) {
      try {
        const editsSince = isAboutTexts(request) ? async () => [] : await diff(request.cwd);
        const run = await inner.run(request, signal);
        await record(request, run, await editsSince());
        return run;
      } catch (error) {
        return failed(`the run could not be recorded: ${errorMessage(error)}`);
      }
    },
  };
}

/** Asked in an empty folder, which is no repository. */
function isAboutTexts({ again }: AgentRequest): boolean {
  return again === "same" || again === "approval";
}

/** Plays a cassette back in its order, edits included. Anything that does not fit fails the run. */
export function replayAgent(cassettePath: string, { strict = false }: { strict?: boolean } = {}): Agent {
  let cassette: Promise<Cassette> | null = null;
  let next = 0;

  /** Loading waits, so the position in the order is taken only afterwards and at once. */
  async function take(request: AgentRequest): Promise<RecordedRun> {
    cassette ??= loadCassette(cassettePath);
    const { runs } = await cassette;
    const run = runs[next];
    if (run === undefined)
      throw new Error(`${cassettePath} has no recorded run left: all ${runs.length} are used; record it again`);
    if (run.role !== request.role) {
      throw new Error(`${cassettePath}: run ${next + 1} was recorded for the role ${run.role}, not ${request.role}`);
    }
    if (run.again !== request.again)
      throw new Error(`${cassettePath}: run ${next + 1} was not recorded for this request`);
    if (strict && run.promptHash !== hashOf(request.prompt)) {
      throw new Error(`${cassettePath}: run ${next + 1} was recorded for another prompt; record it again`);
    }
    next++;
    return run;
  }

  return {
    name: "replay",
    capabilities: { schema: "prompted", readOnly: "none", cost: "reported", streaming: "none" },
    async run(request, signal) {
      if (signal.aborted) return CANCELLED;
      try {
        const { role: _, promptHash: __, again: ___, edits, ...run } = await take(request);
        if (signal.aborted) return CANCELLED;
        await applyEdits(request.cwd, edits);
        return run;
      } catch (error) {
        return failed(errorMessage(error));
      }
    },
  };
}

const CANCELLED: AgentRun = { status: "cancelled", text: "", error: "cancelled before it started", usage: {} };

function hashOf(prompt: string): string {
  return createHash("sha256").update(prompt).digest("hex");
}

function failed(error: string): AgentRun {
  return { status: "failed", text: "", error, usage: {}, lasting: true };
}
