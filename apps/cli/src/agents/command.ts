import { parseArgs } from "node:util";
import { agentsFor, openRepo, REVIEWERS, UsageError } from "@anneal/engine";
import {
  AGENTS,
  type AgentTerms,
  agentToTest,
  loadAgentTerms,
  type SurveyedAgent,
  surveyAgents,
  testAgent,
} from "@anneal/engine/agents";
import { interruptible } from "../interruptible.ts";
import { harmlessLine, painter } from "../style.ts";
import { check } from "./check.ts";

const help = `anneal agents: the agents that can implement, review and fix, and whether they are ready

  anneal agents              every agent: its program and version, whether it is signed in, what it guarantees;
                             and the reviewers that are not agents
  anneal agents test NAME    ask an agent's real model one short question (costs a few tokens)
  anneal agents check NAME   have an agent review a small sample change; shows how its answer is read, or what is wrong with its format
  anneal agents check --answer FILE
                             check a saved answer instead (- is standard input); no agent runs

  --policy NAME              the policy whose answer format is checked (default: adversarial)
  --json                     the same as data

NAME is one agent:
  ${agentsFor("analyst", {}).join(", ")},
  or a name that you define under "agentSetup" in the global settings; claude:opus names a model.

What an agent guarantees:
  schema     native: the answer format is enforced; forwarded: passed to the model; prompted: only requested in the prompt
  read-only  os: the operating system enforces it; toolset: no tool that writes; config: its settings forbid writing;
             none: Anneal runs it in a sandbox while it reviews
  cost       reported by the agent, or computed from prices if it reports its tokens and the model is listed

Exit code: 0 fine, 1 the agent did not answer as asked or its answer could not be read, 2 usage or configuration error.
`;

async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    options: {
      json: { type: "boolean", default: false },
      policy: { type: "string" },
      answer: { type: "string" },
    },
    allowPositionals: true,
  });
  const [word, name, ...more] = positionals;
  const { agents, model } = await loadAgentTerms(await root());
  if (word === "check" && more.length === 0) {
    const { json, policy = "adversarial", answer } = values;
    return await check(name, agents, { json, policy, answer, model });
  }
  if (values.policy !== undefined || values.answer !== undefined)
    throw new UsageError("--policy and --answer only work with anneal agents check");
  if (word === undefined) return await list(agents, values.json);
  if (word !== "test" || more.length > 0) {
    throw new UsageError(
      `anneal agents takes "test NAME" or "check NAME", not "${positionals.join(" ")}"; see anneal agents --help`,
    );
  }
  if (name === undefined) throw new UsageError("name an agent: anneal agents test NAME");
  return await tryOut(name, agents, { json: values.json, model });
}

/** Settings lie at the top of a repository; outside of any the global ones hold. */
async function root(): Promise<string> {
  const here = process.cwd();
  return await openRepo(here).then(
    (repo) => repo.root,
    () => here,
  );
}

async function list(terms: AgentTerms, json: boolean): Promise<number> {
  const agents = await interruptible((signal) => surveyAgents(terms, signal));
  process.stdout.write(json ? `${JSON.stringify(agents, null, 2)}\n` : `${text(agents)}\n${others()}`);
  return 0;
}

function text(agents: SurveyedAgent[]): string {
  const paint = painter(process.stdout);
  const width = Math.max(...agents.map(({ name }) => name.length));
  const lines = agents.map((agent) => {
    const { name, about, capabilities, advice } = agent;
    const mark = isReady(agent) ? paint("green", "✔") : isMissing(agent) ? paint("dim", "·") : paint("yellow", "?");
    const trusted =
      capabilities === null
        ? ""
        : `schema ${capabilities.schema}, read-only ${capabilities.readOnly}, cost ${COST[capabilities.cost]}`;
    const indent = `\n  ${" ".repeat(width)}  `;
    const next = advice === null ? "" : `${indent}→ ${advice}`;
    return `${mark} ${name.padEnd(width)}  ${about}: ${standing(agent)}${indent}${paint("dim", trusted)}${next}`;
  });
  return `${lines.join("\n")}\n`;
}

/** What the agent does not report itself, we compute from a list of prices wherever it tells its tokens. */
const COST = { reported: "reported", estimated: "from prices", none: "from prices, if it reports its tokens" };

function others(): string {
  const names = Object.keys(REVIEWERS).filter((name) => !Object.hasOwn(AGENTS, name));
  const width = Math.max(...names.map((name) => name.length));
  const lines = names.map((name) => `  ${name.padEnd(width)}  ${REVIEWERS[name]?.about}`);
  return `Reviewers that are not agents, for --reviewer:\n${lines.join("\n")}\n`;
}

function isMissing({ program }: SurveyedAgent): boolean {
  return program?.state === "missing";
}

function isReady({ program, signedIn }: SurveyedAgent): boolean {
  return program?.state !== "missing" && signedIn === "yes";
}

function standing({ program, signedIn, plays }: SurveyedAgent): string {
  if (program?.state === "missing") return `${program.name} is not on the PATH`;
  const found = program === null ? "no program needed" : `${program.name} ${program.version ?? "(version unknown)"}`;
  const login = { yes: "signed in", no: "not signed in", unknown: "sign-in unknown" }[signedIn];
  return `${found}, ${login}; ${plays}`;
}

async function tryOut(
  name: string,
  terms: AgentTerms,
  { json, model }: { json: boolean; model: string | undefined },
): Promise<number> {
  const agent = await agentToTest(name, terms, model);
  if (!json) process.stderr.write(`asking ${name} a short question…\n`);
  const { run, ms, expected, understood } = await interruptible((signal) => testAgent(agent, { signal }));
  if (json) {
    process.stdout.write(`${JSON.stringify({ name, ms, expected, understood, ...run }, null, 2)}\n`);
    return understood ? 0 : 1;
  }
  const paint = painter(process.stdout);
  const by = run.model === undefined ? "" : ` (${run.model})`;
  const said =
    run.status === "finished"
      ? `answered "${harmlessLine(run.text).slice(0, 200)}"`
      : withoutName(run.error ?? run.status, agent.name);
  const mark = understood ? paint("green", "✔") : paint("red", "✘");
  process.stdout.write(`${mark} ${name}${by} ${said} in ${(ms / 1_000).toFixed(1)} s${costs(run.usage)}\n`);
  if (!understood && run.status === "finished") {
    process.stdout.write(
      `  → the word "${expected}" was expected: the agent runs but does not follow instructions. Try again, or try another model (NAME:MODEL)\n`,
    );
  }
  return understood ? 0 : 1;
}

/** Many errors begin with who they are of, which is said already. */
function withoutName(error: string, name: string): string {
  return error.startsWith(`${name} `) || error.startsWith(`${name}: `) ? error.slice(name.length).trimStart() : error;
}

function costs({
  inputTokens,
  outputTokens,
  costUsd,
  costEstimated,
}: Record<string, number | true | undefined>): string {
  const tokens = inputTokens === undefined ? "" : `, ${inputTokens} tokens in, ${outputTokens ?? "?"} out`;
  const cost = typeof costUsd === "number" ? `, $${costUsd.toFixed(4)}${costEstimated ? " (by list price)" : ""}` : "";
  return `${tokens}${cost}`;
}

export const command = { help, run };
