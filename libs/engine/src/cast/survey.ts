import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Agent, AgentEvent, AgentRun, Capabilities } from "@anneal/adapters";
import { initRepo } from "@anneal/git";
import { ownTemporary } from "@anneal/system/processes/temporary";
import { runCommand } from "@anneal/system/programs/command";
import { UsageError } from "../errors/errors.ts";
import { AGENTS, type AgentEntry, agentEntry } from "./catalog.ts";
import { anchoredWords } from "./command-words.ts";
import type { AgentTerms } from "./fitted.ts";
import { AUTO, agentNamed, agentsFor, parseName } from "./named.ts";
import { membersOf, REVIEWERS } from "./reviewers.ts";

/** What is known about one agent on this machine. */
export interface SurveyedAgent {
  name: string;
  about: string;
  /** Which parts it can play. */
  plays: "all parts" | "reviewer, analyst";
  /** The program and its version; null for agents without a program. */
  program: { name: string; state: "found" | "missing"; version: string | null } | null;
  /** Only where it can tell. */
  signedIn: "yes" | "no" | "unknown";
  capabilities: Capabilities | null;
  /** What to do next; null where it is ready, or nobody can tell. */
  advice: string | null;
}

/** Every agent that can be named without a file or a command of its own. */
export async function surveyAgents(terms: AgentTerms, signal: AbortSignal): Promise<SurveyedAgent[]> {
  const names = [...new Set([...Object.keys(AGENTS), ...Object.keys(terms.setups ?? {})])];
  const found = await Promise.all(names.map((name) => survey(name, terms, signal)));
  return found.filter((one) => one !== null);
}

async function survey(name: string, { setups }: AgentTerms, signal: AbortSignal): Promise<SurveyedAgent | null> {
  const setup = setups?.[name] ?? {};
  const entry = agentEntry(name, setups?.[name]);
  if (entry === undefined || entry.argument !== "model") return null;
  const usual = entry.probe?.program === undefined ? undefined : [entry.probe.program];
  const command = setup.command === undefined ? usual : anchoredWords(setup.command, process.cwd());
  const asked = (args: readonly string[]) => ask([...(command ?? []), ...args], setup.env, signal);
  const version =
    command === undefined || setup.kind !== undefined ? null : await askVersion(command, setup.env, signal);
  const missing = version !== null && version.status === "not-found";
  const login = missing ? "no" : await signedIn(entry, asked);
  return {
    name,
    about: entry.about,
    plays: entry.writes ? "all parts" : "reviewer, analyst",
    program:
      command === undefined
        ? null
        : { name: command.join(" "), state: missing ? "missing" : "found", version: versionIn(version?.output) },
    signedIn: login,
    capabilities: (await entry.make(undefined, setup)).capabilities,
    advice: (missing ? entry.probe?.install : login === "yes" ? null : entry.probe?.signIn) ?? null,
  };
}

type Asked = (args: readonly string[]) => ReturnType<typeof ask>;

async function signedIn({ probe }: AgentEntry, asked: Asked): Promise<SurveyedAgent["signedIn"]> {
  if (probe?.keys?.some((key) => process.env[key])) return "yes";
  if (probe?.login !== undefined) return (await asked(probe.login)).status === 0 ? "yes" : "no";
  // Without a program the key is all there is.
  return probe !== undefined && probe.program === undefined ? "no" : "unknown";
}

/** Some make folders in the home folder even for that; what is found only by way of the real one is asked there. */
async function askVersion(command: readonly string[], env: Record<string, string> | undefined, signal: AbortSignal) {
  const home = await ownTemporary("home");
  try {
    const said = await ask([...command, "--version"], { ...env, HOME: home }, signal);
    if (said.status === 0 && versionIn(said.output) !== null) return said;
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 3 });
  }
  return await ask([...command, "--version"], env, signal);
}

async function ask(command: readonly string[], env: Record<string, string> | undefined, signal: AbortSignal) {
  const [program = "", ...args] = command;
  const options = { cwd: tmpdir(), timeoutMs: 20_000, signal, ...(env === undefined ? {} : { env }) };
  return await runCommand([program, ...args], options);
}

function versionIn(output: string | undefined): string | null {
  return /\d+\.\d+[\w.+-]*/.exec(output ?? "")?.[0] ?? null;
}

export interface RoundTrip {
  run: AgentRun;
  ms: number;
  /** The word that was asked for, and whether the answer was it. */
  expected: string;
  understood: boolean;
}

const WORD = "annealed";

/** The agent that a person wants to try; a reviewer that is no agent cannot be asked anything. */
export async function agentToTest(named: string, terms: AgentTerms, model: string | undefined): Promise<Agent> {
  const { name } = parseName(named);
  const isAgent = agentEntry(name, terms.setups?.[name]) !== undefined || name === AUTO;
  if (membersOf(named, terms).length > 1) {
    throw new UsageError(`${named} names several reviewers: test one at a time with anneal agents test NAME`);
  }
  if (!isAgent && Object.hasOwn(REVIEWERS, name)) {
    const option = named === name ? (written(name) ?? named) : named;
    throw new UsageError(
      `${name} is a reviewer, not an agent, and cannot answer questions; try it with anneal review --reviewer ${option}`,
    );
  }
  if (!isAgent && !Object.hasOwn(terms.setups ?? {}, name)) {
    throw new UsageError(`unknown agent "${name}"; known: ${agentsFor("analyst", terms).join(", ")}`);
  }
  return await agentNamed(named, "analyst", terms, model);
}

/** How a reviewer is named with what it needs. */
function written(name: string): string | undefined {
  return agentsFor("reviewer", {}).find((one) => parseName(one).name === name);
}

/** One tiny question to an agent, in an empty repository that is removed again. */
export async function testAgent(
  agent: Agent,
  { signal, onEvent }: { signal: AbortSignal; onEvent?: (event: AgentEvent) => void },
): Promise<RoundTrip> {
  const cwd = await mkdtemp(join(tmpdir(), "anneal-agent-test-"));
  try {
    await initRepo(cwd, { name: "Anneal", email: "anneal@localhost" });
    const started = performance.now();
    const run = await agent.run(
      {
        role: "analyst",
        prompt: `Answer with this one word and nothing else, without using any tool: ${WORD}\n`,
        cwd,
        limits: { timeoutMs: 180_000, silenceMs: 120_000 },
        ...(onEvent === undefined ? {} : { onEvent }),
      },
      signal,
    );
    const understood = run.status === "finished" && run.text.toLowerCase().includes(WORD);
    return { run, ms: Math.round(performance.now() - started), expected: WORD, understood };
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}
