import { errorMessage } from "@anneal/types/unknown";
import type { Agent, AgentRequest, AgentRun } from "../../ports.ts";
import { applyEdits } from "./edits.ts";
import type { Script, ScriptedStep } from "./format.ts";
import { type Interruption, pause } from "./pause.ts";

export type { FileEdit } from "./edits.ts";
export { loadScript, type Script, type ScriptedEnding, type ScriptedStep } from "./format.ts";

/** An agent that plays a script, and remembers what it was asked. */
export interface ScriptedAgent extends Agent {
  /** The prompts of all runs so far, in order. */
  prompts: string[];
}

/** Plays each run from the next step that fits its role, or from the step of its turn where one is given. A script that has no step left fails the run. */
export function scriptedAgent(script: Script): ScriptedAgent {
  const played = new Set<ScriptedStep>();
  const turnedAway = new Map<ScriptedStep, number>();
  const prompts: string[] = [];
  const last = new Map<AgentRequest["role"], ScriptedStep>();

  function nextStep({ role, turn }: AgentRequest): ScriptedStep | undefined {
    const fitting = script.steps.filter((step) => step.role === undefined || step.role === role);
    if (turn !== undefined) return fitting[turn - 1] ?? (script.repeatLast ? fitting.at(-1) : undefined);
    const next = fitting.find((step) => !played.has(step));
    return next ?? (script.repeatLast ? fitting.at(-1) : undefined);
  }

  return {
    // Never a name that the script gives itself: a certificate would say that somebody else had reviewed.
    name: "scripted",
    capabilities: { schema: "prompted", readOnly: "none", cost: "reported", streaming: "events" },
    prompts,
    async run(request, signal) {
      if (signal.aborted) return { status: "cancelled", text: "", error: "cancelled before it started", usage: {} };
      prompts.push(request.prompt);
      const { again } = request;
      const step = again !== undefined && request.turn === undefined ? last.get(request.role) : nextStep(request);
      if (step === undefined) return exhausted(script, request);
      if (again !== undefined) return asSaid(step.again?.[again] ?? OTHERWISE[again], script.model);
      last.set(request.role, step);
      const tries = turnedAway.get(step) ?? 0;
      if (step.rateLimited !== undefined && tries < (step.rateLimited.times ?? 1)) {
        turnedAway.set(step, tries + 1);
        return rateLimited(step.rateLimited.retryAfterMs ?? null);
      }
      played.add(step);
      const run = await play(step, request, signal);
      return script.model === undefined ? run : { ...run, model: script.model };
    },
  };
}

/** A script means what the form of its answers says, unless it says otherwise. */
const OTHERWISE: Partial<Record<NonNullable<AgentRequest["again"]>, object>> = {
  approval: { without_reservation: true, reservation: null },
};

function asSaid(answer: string | object = "", model: string | undefined): AgentRun {
  const said = typeof answer === "object" ? { text: JSON.stringify(answer), structured: answer } : { text: answer };
  return { status: "finished", ...said, usage: {}, ...(model === undefined ? {} : { model }) };
}

async function play(step: ScriptedStep, request: AgentRequest, signal: AbortSignal): Promise<AgentRun> {
  const usage = step.usage ?? {};
  const text = typeof step.answer === "object" ? JSON.stringify(step.answer) : (step.answer ?? "");
  if (step.delayMs !== undefined) {
    const interruption = await pause(step.delayMs, request.limits, signal);
    if (interruption !== null) return interrupted(interruption, usage);
  }
  try {
    await applyEdits(request.cwd, step.edits ?? []);
  } catch (error) {
    const why = `an edit of the script failed: ${errorMessage(error)}`;
    return { status: "failed", text: "", error: why, usage, lasting: true };
  }
  for (const { path } of step.edits ?? []) request.onEvent?.({ kind: "tool", name: "edit", detail: path });
  if (text !== "") request.onEvent?.({ kind: "text", text });

  const end = step.end ?? (step.error === undefined ? "finished" : "crash");
  if (end === "hang") {
    const interruption = await pause(Number.POSITIVE_INFINITY, request.limits, signal);
    return interrupted(interruption ?? "timed-out", usage);
  }
  if (end === "crash") return { status: "failed", text, error: step.error ?? "the agent crashed", usage };
  if (end === "no-terminal-event") {
    return { status: "failed", text, error: step.error ?? "the agent ended without its terminal event", usage };
  }
  const run: AgentRun = { status: "finished", text, usage };
  return typeof step.answer === "object" ? { ...run, structured: step.answer } : run;
}

function rateLimited(retryAfterMs: number | null): AgentRun {
  return { status: "failed", text: "", error: "rate limited", usage: {}, rateLimited: { retryAfterMs } };
}

function exhausted({ steps }: Script, { role }: AgentRequest): AgentRun {
  const error = `the script has no step left for the role ${role} (it has ${steps.length} in all): add one, or set repeatLast`;
  return { status: "failed", text: "", error, usage: {}, lasting: true };
}

function interrupted(status: Interruption, usage: AgentRun["usage"]): AgentRun {
  const error = status === "cancelled" ? "cancelled" : "no answer within the time limit";
  return { status, text: "", error, usage };
}
