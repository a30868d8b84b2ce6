import { rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { ownTemporary } from "@anneal/system/processes/temporary";
import { type CommandResult, runCommand } from "@anneal/system/programs/command";
import type { Agent, AgentEvent, AgentRequest, AgentRun, Capabilities } from "../../ports.ts";
import { cleanedRun, maskedEvents, secretsIn, withoutCredentials } from "./credentials.ts";
import {
  type Enclosing,
  fullSandbox,
  instructionsIn,
  type Keeps,
  ordersIn,
  repositoryGuard,
  unboxedRefusal,
} from "./enclosing.ts";
import { lineSplitter } from "./lines.ts";
import { mayWrite } from "./roles.ts";
import { type AgentSetup, withModel } from "./setup.ts";

export type { AgentSetup } from "./setup.ts";

/** One agent's command line: how a run is started, and how its output is read. */
export interface Cli {
  name: string;
  capabilities: Capabilities;
  /** Its usual name on the PATH. */
  program: string;
  /** How to get it, in one line. */
  install: string;
  /** Variables of our environment that it may see: where its settings lie, its key, its model's address. */
  env: readonly string[];
  /** Files and folders in the home folder by which it is signed in; only they are seen where it is shut in. */
  login?: readonly string[];
  /** What it keeps between its runs, and so may write whatever its role, where it keeps its hands off by its own means. */
  keeps?(where: Where): Keeps;
  /**
   * Files and folders at the top of the work tree from which it takes orders that nothing else turns off. Where there is
   * one, it is shut in whatever its role, and does not see it.
   */
  obeys?: readonly string[];
  /** Names of files in any folder from which it takes instructions that nothing else turns off; readers do not see them. */
  instructedBy?: readonly string[];
  /** `scratch` is a folder of this run, removed after it. The prompt goes over stdin or into a file there. */
  launch(request: AgentRequest, scratch: string): Launch | Promise<Launch>;
  /** A fresh reader of one run's output. By `giveUp` it has a run ended of which nothing is to be expected. */
  transcript(request: AgentRequest, scratch: string, giveUp: () => void): Transcript;
}

export interface Launch {
  args: string[];
  env?: Record<string, string>;
  input?: string;
  /** Variables of `env` that are secret, whatever they are called. */
  secret?: readonly string[];
  /** Its own settings do not keep it from writing on this machine: it is shut in as those that have none. */
  shutIn?: true;
}

/** Reads a run as it goes. It keeps only what the end needs, however long the output gets. */
export interface Transcript {
  /** Where what is printed is text, an empty line is a part of it. */
  emptyLines?: "kept";
  line(text: string, stream: "stdout" | "stderr"): AgentEvent[];
  /** What the run came to, if it ended by itself. `said` is the end of all output, for errors that stand nowhere else. */
  end(exit: number, said: string): AgentRun | Promise<AgentRun>;
}

/** Thrown by `launch` where a request cannot be put to this agent at all; the message says why. */
export class CannotStart extends Error {
  override name = "CannotStart";
}

/** Makes an agent of a command line. Everything that it started is gone when a run is over. */
export function cliAgent(cli: Cli, setup: AgentSetup = {}): Agent {
  return {
    name: cli.name,
    capabilities: cli.capabilities,
    async run(asked, signal) {
      if (signal.aborted) return { status: "cancelled", text: "", error: "cancelled before it started", usage: {} };
      const { request, refused } = withModel(asked, setup);
      if (refused !== undefined) return refused;
      const scratch = await ownTemporary("agent");
      try {
        return await runIn(scratch, cli, setup, request, signal);
      } catch (error) {
        if (!(error instanceof CannotStart)) throw error;
        return { status: "failed", text: "", error: error.message, usage: {}, lasting: true };
      } finally {
        await rm(scratch, { recursive: true, force: true, maxRetries: 3 });
      }
    },
  };
}

async function runIn(
  scratch: string,
  cli: Cli,
  setup: AgentSetup,
  request: AgentRequest,
  signal: AbortSignal,
): Promise<AgentRun> {
  const launch = await cli.launch(request, scratch);
  const given = new AbortController();
  const transcript = cli.transcript(request, scratch, () => given.abort());
  const env = { ...passed([...cli.env, ...(setup.passEnv ?? [])]), ...launch.env, ...setup.env };
  const secrets = [...secretsIn(env, setup), ...(launch.secret ?? []).flatMap((name) => env[name] ?? [])];
  const clean = withoutCredentials(secrets);
  const events = maskedEvents(secrets, (event) => request.onEvent?.(event));
  let isWhole = true;
  // Before it is read, too: a transcript cuts what is too long, and half a key is known by nobody.
  const read = (stream: "stdout" | "stderr") =>
    lineSplitter((line) => transcript.line(clean(line), stream).forEach(events.tell), {
      onTooLong: () => {
        isWhole = false;
      },
      empty: transcript.emptyLines ?? "dropped",
    });
  const readers = { stdout: read("stdout"), stderr: read("stderr") };
  const result = await runCommand([...(setup.command ?? ([cli.program] as const)), ...launch.args], {
    cwd: request.cwd,
    ...request.limits,
    signal: AbortSignal.any([signal, given.signal]),
    env,
    ...(launch.input === undefined ? {} : { input: launch.input }),
    ...(await shutIn(cli, launch, setup, request, scratch)),
    keepChars: KEPT_CHARS,
    onOutput: (text, stream) => readers[stream].take(text),
  });
  readers.stdout.end();
  readers.stderr.end();
  events.end();
  const isGivenUp = result.status === "cancelled" && !signal.aborted;
  const ran = await runOf(
    { ...result, output: clean(lastOf(result)), ...(isGivenUp ? { status: GIVEN_UP } : {}) },
    transcript,
    { ...cli, program: setup.command?.[0] ?? cli.program },
    request,
  );
  return cleanedRun(isWhole ? ran : cutShort(ran, cli.name), clean);
}

/** Nobody knows what stood in a line that no memory should have to hold: a finding, or the end of a verdict. */
function cutShort(run: AgentRun, name: string): AgentRun {
  const { usage, model } = run;
  // How it was ended, or what the provider said, is the better reason.
  if (run.status === "cancelled" || run.status === "timed-out" || run.lasting || run.rateLimited) return run;
  const error = `${name} printed a line larger than the limit of 16 MB, so its answer is not complete`;
  return { status: "failed", text: "", error, usage, ...(model === undefined ? {} : { model }), lasting: true };
}

/** Agents that cannot be kept from writing by their own means are kept from it by ours. */
async function shutIn(
  { name, capabilities, login = [], obeys = [], instructedBy = [], keeps }: Cli,
  launch: Launch,
  setup: AgentSetup,
  request: AgentRequest,
  scratch: string,
): Promise<Enclosing["options"]> {
  const instructs = () => !mayWrite(request.role) && instructionsIn(request.cwd, instructedBy).length > 0;
  const obeying = ordersIn(request.cwd, obeys).length > 0 || instructs();
  const isNeeded = capabilities.readOnly === "none" || launch.shutIn || obeying;
  // A sandbox of its own may not work within another one.
  if (!isNeeded && capabilities.readOnly === "os") return {};
  if (!isNeeded) {
    const refusal = await unboxedRefusal(setup);
    if (refusal !== null) throw new CannotStart(`${name} ${refusal}`);
    return await repositoryGuard(setup, request, [scratch], keeps?.(whereOf(setup)) ?? { state: [] });
  }
  const box = await fullSandbox(setup, request, { login, obeys, instructedBy, writable: [scratch] });
  if ("refused" in box) throw new CannotStart(`${name} ${box.refused}`);
  return box.options;
}

/** The home folder of a run, and what its variables name; `at` is where a folder of the home folder is, unless one of them says. */
export interface Where {
  at(name: string, variable?: string): string;
}

function whereOf({ env = {} }: AgentSetup): Where {
  const named = (variable: string) => env[variable] ?? process.env[variable];
  const home = named("HOME") ?? homedir();
  return { at: (name, variable) => (variable === undefined ? undefined : named(variable)) || join(home, name) };
}

/** Where the beginning was dropped, the first line is half a line. */
function lastOf({ output, kept }: CommandResult): string {
  return kept === "all" ? output : output.slice(output.indexOf("\n") + 1);
}

/** As if it had ended by itself, without success. */
const GIVEN_UP = 1;

/** Enough for the last words of a program that failed; everything else is read as it comes. */
const KEPT_CHARS = 8_000;

export function passed(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}

/** Once we ended a run its own last words count for nothing, but what it used is known from them. */
async function runOf(
  { status, output }: CommandResult,
  transcript: Transcript,
  { name, program, install }: Cli,
  { limits }: AgentRequest,
): Promise<AgentRun> {
  if (typeof status === "number") return await transcript.end(status, output);
  if (status === "not-found") {
    const where = program.includes("/") ? `nothing to run at ${program}` : `no program ${program} on the PATH`;
    const error = `${name} cannot be started: there is ${where}. ${install}`;
    return { status: "failed", text: "", error, usage: {}, lasting: true };
  }
  const { usage, model } = await transcript.end(1, output);
  const ended = { text: "", usage, ...(model === undefined ? {} : { model }) };
  if (status === "cancelled") return { status: "cancelled", ...ended, error: `${name} was cancelled` };
  const error =
    status === "silent"
      ? `${name} printed nothing for ${seconds(limits.silenceMs)} and was stopped`
      : `${name} did not finish within ${seconds(limits.timeoutMs)} and was stopped`;
  return { status: "timed-out", ...ended, error };
}

export function seconds(ms = 0): string {
  return `${Math.round(ms / 100) / 10} s`;
}
