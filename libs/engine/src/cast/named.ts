import type { Agent } from "@anneal/adapters";
import { MODEL_NAME, MODEL_NAME_FORM } from "@anneal/types/model-name-form";
import { UsageError } from "../errors/errors.ts";
import { AGENTS, type AgentEntry, agentEntry } from "./catalog.ts";
import type { AgentTerms } from "./fitted.ts";

export type Part = "implementer" | "reviewer" | "fixer" | "analyst";

/** Stands for the agent of the item's own model. */
export const AUTO = "auto";

/** A name as people write it: `claude`, `claude:opus`, `scripted:FILE`. */
export interface PlayerName {
  name: string;
  argument: string | undefined;
}

export function parseName(named: string): PlayerName {
  const colon = named.indexOf(":");
  const argument = colon < 0 ? "" : named.slice(colon + 1);
  return { name: colon < 0 ? named : named.slice(0, colon), argument: argument === "" ? undefined : argument };
}

/** Makes the agent that a person named for a part; `model` is that of the work item. Nothing outside changes. */
export async function agentNamed(
  named: string,
  part: Part,
  terms: AgentTerms,
  model: string | undefined,
): Promise<Agent> {
  const resolved = named === AUTO ? await agentOfItem(part, terms, model) : named;
  const { name, argument } = parseName(resolved);
  const setup = Object.hasOwn(terms.setups ?? {}, name) ? terms.setups?.[name] : undefined;
  const entry = agentEntry(name, setup);
  if (entry === undefined) throw unknown(name, part, terms);
  if (!entry.writes && (part === "implementer" || part === "fixer"))
    throw new UsageError(`${name} is read-only and cannot be the ${part}; known: ${agentsFor(part, terms).join(", ")}`);
  if (entry.argument === "file" && argument === undefined && !(name === "scripted" && process.env.ANNEAL_SCRIPT))
    throw new UsageError(`the ${part} ${name} needs a file: ${name}:FILE`);
  if (entry.argument === "model") refuseBadModel(argument, `the ${part} ${JSON.stringify(named)}`);
  refuseBadModel(model, `the model of the work item or the settings, for the ${part}`);
  const agent = await entry.make(argument, { ...setup, ...(terms.sandbox === "required" ? REQUIRED : {}) });
  const { fitted } = await import("./fitted.ts");
  return fitted(agent, entry.argument === "model" ? argument : undefined, terms);
}

const REQUIRED = { sandbox: "required" } as const;

/** A name that a program would take for an option is never passed on, wherever it comes from. */
export function refuseBadModel(model: string | undefined, where: string): void {
  if (model !== undefined && !MODEL_NAME.test(model))
    throw new UsageError(`${where}: ${JSON.stringify(model.slice(0, 100))} is not a model name; ${MODEL_NAME_FORM}`);
}

async function agentOfItem(part: Part, { modelAgents }: AgentTerms, model: string | undefined): Promise<string> {
  if (model === undefined) {
    throw new UsageError(
      `the ${part} is "${AUTO}", but no model is named: set "defaultModel" in the settings, or "model" in the item`,
    );
  }
  const { ProviderFactory } = await import("./model-provider.ts");
  return ProviderFactory.getProviderNameForModel(model, modelAgents, part);
}

function unknown(name: string, part: Part, terms: AgentTerms): UsageError {
  if (Object.hasOwn(terms.setups ?? {}, name))
    return new UsageError(`agentSetup.${name} in the settings needs a "kind": "acp" or "command"`);
  return new UsageError(`unknown agent "${name}" for the ${part}; known: ${agentsFor(part, terms).join(", ")}`);
}

/** Those that only read a file, ask an address, or are part of us. */
const STARTS_NOTHING = ["builtin", "sarif", "webhook", "anthropic", "openai", "scripted", "replay"];

/** Whether a reviewer of this name, or one of several, is a program that is started here. */
export function startsPrograms(named: string): boolean {
  return named.split("+").some((one) => !STARTS_NOTHING.includes(parseName(one).name));
}

/** The names that can play a part, as people write them. */
export function agentsFor(part: Part, { setups = {} }: AgentTerms): string[] {
  const writes = part === "implementer" || part === "fixer";
  const ours = Object.entries(AGENTS).flatMap(([name, entry]) =>
    writes && !entry.writes ? [] : [written(name, entry)],
  );
  const own = Object.keys(setups).filter((name) => !Object.hasOwn(AGENTS, name));
  const others = { reviewer: ["builtin"], fixer: ["builtin"], implementer: [], analyst: [] }[part];
  const alone = part === "reviewer" ? ["codex-review", "sarif:FILE", "webhook:URL"] : [];
  return [...others, ...ours, ...own, ...alone, AUTO];
}

function written(name: string, { argument }: AgentEntry): string {
  if (argument === "model") return name;
  return `${name}:${argument.toUpperCase()}`;
}
