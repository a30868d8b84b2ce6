import { setTimeout } from "node:timers/promises";
import type { Argv } from "@anneal/system/programs/command";
import { type RunningCommand, startCommand } from "@anneal/system/programs/start-command";
import type { Agent, AgentEvent, AgentRequest, AgentRun, Capabilities } from "../../ports.ts";
import { type AgentSetup, passed, seconds } from "../cli/cli-agent.ts";
import { cleanedRun, maskedEvents, secretsIn, withoutCredentials } from "../cli/credentials.ts";
import { type Enclosing, fullSandbox } from "../cli/enclosing.ts";
import { NETWORK_ENV } from "../cli/network-env.ts";
import { withModel } from "../cli/setup.ts";
import { converse } from "./conversation.ts";
import { failureOfAnswer } from "./failures.ts";
import { knownAgent } from "./known-agents.ts";
import { sessionLog } from "./session-log.ts";

/** What a user may set about an agent that speaks the Agent Client Protocol. */
export interface AcpSetup extends AgentSetup {
  /** How it is started so that it speaks the protocol on its standard input and output. */
  command: Argv;
  /** What it is called here. */
  name?: string;
}

/** How much of the end of its complaints is kept, for errors that stand nowhere else. */
const KEPT_CHARS = 4_000;

// The protocol has no word for a schema, none that binds an agent to reading, and prices only where an agent wants to.
const CAPABILITIES: Capabilities = { schema: "prompted", readOnly: "none", cost: "none", streaming: "events" };

/** Drives any agent that speaks the Agent Client Protocol. As reviewer or analyst it is shut in from outside. */
export function acpAgent(setup: AcpSetup): Agent {
  const name = setup.name ?? "acp";
  return {
    name,
    capabilities: CAPABILITIES,
    async run(asked, signal) {
      if (signal.aborted) return { status: "cancelled", text: "", error: "cancelled before it started", usage: {} };
      const { request, refused } = withModel(asked, setup);
      if (refused !== undefined) return refused;
      const box = await fullSandbox(setup, request, knownAgent(setup.command) ?? {});
      if ("refused" in box)
        return { status: "failed", text: "", error: `${name} ${box.refused}`, usage: {}, lasting: true };
      return await runIn(box, name, setup, request, signal);
    },
  };
}

async function runIn(
  box: Enclosing,
  name: string,
  setup: AcpSetup,
  request: AgentRequest,
  signal: AbortSignal,
): Promise<AgentRun> {
  const env = {
    ...passed([...NETWORK_ENV, ...(knownAgent(setup.command)?.env ?? []), ...(setup.passEnv ?? [])]),
    ...setup.env,
  };
  const secrets = secretsIn(env, setup);
  const clean = withoutCredentials(secrets);
  const events = maskedEvents(secrets, (event: AgentEvent) => request.onEvent?.(event));
  const log = sessionLog(events.tell, clean);
  let complaints = "";
  const running = await startCommand(setup.command, {
    cwd: request.cwd,
    ...request.limits,
    signal,
    env,
    stdin: "open",
    ...box.options,
    keepChars: KEPT_CHARS,
    onOutput: (text, stream) => {
      if (stream === "stderr") complaints = (complaints + text).slice(-KEPT_CHARS);
    },
  });
  const answer = await settled(converse(running, request, box.sandboxed, log), running);
  running.end();
  const ended = await running.ended;
  const { status } = ended;
  log.end();
  events.end();
  const { text, usage, model } = log;
  // Once we ended it for a reason of ours, its own last words count for nothing.
  const outcome =
    endedByUs(status, name, setup.command[0], request) ??
    (isWhole(answer) ? { status: "finished", text } : failed(answer, status, complaints, name));
  const run: AgentRun = { text: "", ...outcome, usage, ...(model === undefined ? {} : { model }) };
  return cleanedRun(run, clean);
}

type Outcome = Omit<AgentRun, "usage" | "model" | "text"> & { text?: string };
type Answer = { stopReason: string } | { error: unknown };

/** The answer, or why there is none. The line goes dead with the program, and if it does not, we do not wait for ever. */
async function settled(answer: Promise<Answer>, { ended }: RunningCommand): Promise<Answer> {
  const gone = new AbortController();
  const dead = ended.then(() => setTimeout(LAST_WORDS_MS, { error: undefined }, { signal: gone.signal, ref: false }));
  const answered = answer.catch((error: unknown) => ({ error }));
  try {
    return await Promise.race([answered, dead]);
  } finally {
    dead.catch(() => {});
    gone.abort();
  }
}

const LAST_WORDS_MS = 5_000;

function isWhole(answer: Answer): boolean {
  return "stopReason" in answer && answer.stopReason === "end_turn";
}

function endedByUs(status: unknown, name: string, program: string, { limits }: AgentRequest): Outcome | undefined {
  if (status === "cancelled") return { status: "cancelled", error: `${name} was cancelled` };
  if (status === "silent")
    return { status: "timed-out", error: `${name} printed nothing for ${seconds(limits.silenceMs)} and was stopped` };
  if (status === "timed-out")
    return { status: "timed-out", error: `${name} did not finish within ${seconds(limits.timeoutMs)} and was stopped` };
  if (status !== "not-found") return undefined;
  const error = `${name} cannot start: program ${program} not found. Install it, or set its command.`;
  return { status: "failed", error, lasting: true };
}

const STOPPED: Record<string, string> = {
  max_tokens: "ran out of tokens before its answer was complete",
  max_turn_requests: "ran out of turns before its answer was complete",
  refusal: "refused to answer",
};

function failed(answer: Answer, exit: unknown, complaints: string, name: string): Outcome {
  if ("stopReason" in answer) {
    if (answer.stopReason === "cancelled") return { status: "cancelled", error: `${name} cancelled the run itself` };
    return { status: "failed", error: `${name} ${STOPPED[answer.stopReason] ?? "ended in an unknown way"}` };
  }
  const last = complaints.trim().split("\n").at(-1) ?? "";
  const gone = `${name} ended before it answered (exit code ${String(exit)})${last === "" ? "" : `: ${last}`}`;
  return { status: "failed", ...(failureOfAnswer(name, answer.error) ?? { error: gone }) };
}
