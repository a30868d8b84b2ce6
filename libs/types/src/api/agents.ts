import { z } from "zod";
import { Policy } from "../policy.ts";

/** An agent and whether it is ready on this machine. */
export const ApiAgent = z.object({
  name: z.string(),
  about: z.string(),
  plays: z.enum(["all parts", "reviewer, analyst"]),
  /** Its program; null for agents that need none. */
  program: z
    .object({ name: z.string(), state: z.enum(["found", "missing"]), version: z.string().nullable() })
    .nullable(),
  signedIn: z.enum(["yes", "no", "unknown"]),
  /** What it can be trusted with. */
  capabilities: z.record(z.string(), z.unknown()).nullable(),
  /** What to do next; null where it is ready, or nobody can tell. */
  advice: z.string().nullable(),
});
export type ApiAgent = z.infer<typeof ApiAgent>;

export const ApiAgents = z.object({
  agents: z.array(ApiAgent),
  /** Who else can review, by name. */
  reviewers: z.array(z.object({ name: z.string(), about: z.string() })),
});
export type ApiAgents = z.infer<typeof ApiAgents>;

/** An agent by its own name, or one of the user's own under `agentSetup`; never with a file or a program in it. */
export const ApiAgentName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,40}$/, "an agent's name consists of lower-case letters, digits and dashes");

export const ApiAgentTestRequest = z.strictObject({ model: z.string().min(1).max(200).optional() }).nullish();

/** The result of one tiny question to an agent. */
export const ApiAgentTest = z.object({
  name: z.string(),
  /** Whether it answered as asked. */
  understood: z.boolean(),
  status: z.string(),
  /** The beginning of its answer. */
  answer: z.string(),
  /** The word that was asked for. */
  expected: z.string(),
  error: z.string().nullable(),
  model: z.string().nullable(),
  ms: z.int().nonnegative(),
  costUsd: z.number().nullable(),
});
export type ApiAgentTest = z.infer<typeof ApiAgentTest>;

/** A way to run a loop, and where it comes from. */
export const ApiPolicy = z.object({
  name: z.string(),
  from: z.enum(["built-in", "project", "global"]),
  /** Whether another of the same name goes before it, so that nobody runs under it. */
  shadowed: z.boolean(),
  policy: Policy,
});
export type ApiPolicy = z.infer<typeof ApiPolicy>;

export const ApiPolicies = z.object({
  policies: z.array(ApiPolicy),
  /** What keeps policies of the settings from holding. */
  problems: z.array(z.string()),
});
export type ApiPolicies = z.infer<typeof ApiPolicies>;
