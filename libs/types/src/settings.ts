import { z } from "zod";
import { TimeSavedFormula } from "./api/analytics.ts";
import { ModelName } from "./model-name.ts";
import { NotificationSettings, ProjectNotificationSettings } from "./notifications.ts";
import { Budgets, Policy } from "./policy.ts";
import { PromptCustomization } from "./prompts.ts";
import { ReviewLoopConfig } from "./review-loop.ts";
import { Via } from "./speaker.ts";

/** How this process may use one provider. A misspelt key would change nothing, so only these are taken. */
export const ProviderLimits = z.strictObject({
  /** Agent runs at the same time, over all loops. */
  maxConcurrency: z.int().min(1).max(64).optional(),
  /** How often a run that the provider turned away is tried again before it counts as broken. */
  retries: z.int().min(0).max(100).optional(),
  /** The first pause after it turned a run away; it doubles up to the longest. */
  backoffMs: z.int().min(1).max(86_400_000).optional(),
  maxBackoffMs: z.int().min(1).max(86_400_000).optional(),
});
export type ProviderLimits = z.infer<typeof ProviderLimits>;

/** What an agent is called: one of ours, or a name of the user's own. */
const AgentName = z
  .string()
  .regex(
    /^[a-z][a-z0-9-]{0,40}$/,
    "an agent's name has up to 41 lower-case letters, digits and dashes, and begins with a letter",
  );

/** Names that stand for something which is started by no settings. */
const NO_AGENTS = ["auto", "builtin", "codex-review", "nobody", "replay", "sarif", "scripted", "webhook"];

const AgentWithSetup = AgentName.refine((name) => !NO_AGENTS.includes(name), {
  error: ({ input }) =>
    input === "codex-review"
      ? 'codex-review is set up as codex: "agentSetup": {"codex": {…}}'
      : `${String(input)} is built in and needs no setup; use one of claude, codex, gemini, opencode, cursor, anthropic, openai, acp, command, or a name of your own with a "kind"`,
});

const AgentOfModel = AgentName.refine((name) => !NO_AGENTS.includes(name), {
  error: ({ input }) =>
    `${String(input)} runs no models; name an agent such as claude, codex, gemini or opencode, or one of your own in "agentSetup"`,
});

const ModelPattern = z
  .string()
  .regex(/^[^\s*]+\*?$|^\*$/, "a model's name, or its beginning with a * at the end, such as gpt-*");

/** A record whose keys people choose. JSON can hold the key `__proto__`, which zod would pass over in silence. */
function byName<K extends z.core.$ZodRecordKey, V extends z.core.SomeType>(key: K, value: V) {
  const named = z.unknown().superRefine((raw, context) => {
    if (typeof raw === "object" && raw !== null && Object.hasOwn(raw, "__proto__"))
      context.addIssue({ code: "custom", path: ["__proto__"], message: "this name cannot be used" });
  });
  return named.pipe(z.record(key, value));
}

/** How one agent is started. A misspelt key would change nothing, so only these are taken. */
export const AgentSettings = z.strictObject({
  /** What a name of one's own stands for: any program that speaks ACP, or any that reads a prompt and prints an answer. */
  kind: z.enum(["acp", "command"]).optional(),
  /** The program and the arguments that come first; without it the agent's usual name on the PATH. */
  command: z.array(z.string().min(1)).min(1).optional(),
  /** The model of runs that name none. */
  model: ModelName.optional(),
  /** Variables that are set for it. */
  env: z.record(z.string().min(1), z.string()).optional(),
  /** Variables of the user's environment that it may see besides those that it needs. */
  passEnv: z.array(z.string().min(1)).optional(),
  /** It is ended when it says nothing for that long. */
  silenceMs: z.int().min(1_000).max(86_400_000).optional(),
  /** Whether an agent that cannot promise to keep its hands off may review without a sandbox around it. */
  unsandboxed: z.enum(["refused", "allowed"]).optional(),
});
export type AgentSettings = z.infer<typeof AgentSettings>;

/** A dollar for each token is more than anybody asks. */
const PerMillion = z.number().nonnegative().max(1_000_000);

/** What a model costs, in US dollars for a million tokens. */
export const Price = z.strictObject({
  input: PerMillion,
  cachedInput: PerMillion.optional(),
  output: PerMillion,
});
export type Price = z.infer<typeof Price>;

/** How pull requests are opened, listened to and merged. */
export const PullRequestSettings = z.looseObject({
  /** The git remote that branches are pushed to; without it `origin`. */
  remote: z.string().min(1).optional(),
  /** The branch that they are merged into; without it the project's default branch. */
  base: z.string().min(1).optional(),
  mergeMethod: z.enum(["merge", "squash", "rebase"]).optional(),
  labels: z.array(z.string().min(1)).optional(),
  reviewers: z.array(z.string().min(1)).optional(),
  /** Accounts whose word counts whatever the forge says of them, bots included. */
  allow: z.array(z.string().min(1)).optional(),
  /** Checks that are waited for even while nothing is known of them. */
  requiredChecks: z.array(z.string().min(1)).optional(),
  /** How often the forge is asked. */
  pollMs: z.int().min(1_000).max(86_400_000).optional(),
  /** How long nothing is said until a pull request counts as ready for people. */
  quietMs: z.int().min(0).max(86_400_000).optional(),
});
export type PullRequestSettings = z.infer<typeof PullRequestSettings>;

/** A person's word that branches of this project may be pushed there. It holds for this address only. */
export const PushConsent = z.looseObject({
  url: z.string().min(1),
  by: z.string(),
  at: z.iso.datetime(),
  via: Via.optional(),
});
export type PushConsent = z.infer<typeof PushConsent>;

/** `merging`: for tickets, stories and units, which are merged without a person. */
export const SecondLookWhen = z.enum(["always", "merging", "never"]);
export type SecondLookWhen = z.infer<typeof SecondLookWhen>;

/** An agent by its name, with a model behind a colon. No program and no file: a repository may write this. */
const NamedAgent = z
  .string()
  .regex(
    /^(?!(?:command|acp|scripted|replay|sarif|webhook)\b)[a-z][a-z-]*(?::[\w./-]+)?$/,
    "the name of an agent such as codex, with a model behind a colon where you want one",
  );

const PathPattern = z
  .string()
  .regex(
    /^(?!\.{0,2}\/|!)[^\0]+$/,
    "a path from the top of the repository, where * stands for any letters and ** for any folders",
  );

const WorkspaceSetup = z.looseObject({
  setup: z.array(z.string()).optional(),
  copy: z.array(z.string()).optional(),
  /** The folder of the workspaces, next to the repository by default. Only the user's own settings can say it. */
  home: z.string().min(1).optional(),
});

const shared = {
  promptCustomization: PromptCustomization.optional(),
  /** What it leaves out comes from the next level: project over global over default. */
  reviewLoop: ReviewLoopConfig.partial().optional(),
  /** How many loops run at the same time. */
  maxConcurrency: z.int().min(1).max(64).optional(),
  /** Who plays which part, as `anneal review --reviewer` takes it; `{id}` becomes the work item's id. */
  agents: z.looseObject({ implementer: z.string(), reviewer: z.string(), fixer: z.string() }).partial().optional(),
  /** The model of items that name none. */
  defaultModel: ModelName.optional(),
  /** Which agent runs a model, by the model's name; a `*` at its end stands for any rest. Over the usual choice. */
  modelAgents: byName(ModelPattern, AgentOfModel).optional(),
  /** How many tokens a model takes in at once, over the built-in list; a `*` at its end stands for any rest. */
  modelContextTokens: byName(ModelPattern, z.int().min(8_000).max(100_000_000)).optional(),
  /** Prices over those of the built-in list, by the model's name; a `*` at its end stands for any rest. */
  prices: byName(ModelPattern, Price).optional(),
  /** Paths that may go unread without holding a change, such as `vendor/**`; what they waive is listed with each review. */
  waivedPaths: z.array(PathPattern).optional(),
  /** Whether an agent that sees only the answer says if a pass is one without reservation, and which agent; the reviewer's own by default. */
  secondLook: z.strictObject({ when: SecondLookWhen.optional(), by: NamedAgent.optional() }).optional(),
  /** The project's own checks, run on every change before it is committed. */
  testCommand: z.union([z.string().min(1), z.array(z.string()).min(1)]).optional(),
  testTimeoutMs: z.int().positive().optional(),
  /** How a fresh workspace is made ready: files to copy from the checkout, then commands to run. */
  worktree: WorkspaceSetup.optional(),
  /** The user's own policies. */
  policies: z.array(Policy).optional(),
  /** What one loop may use at most, whatever its policy says, and what all of them may use in a day. */
  budgets: Budgets.optional(),
  /** How hard each provider of models may be used, by the provider's name. */
  providers: byName(z.string().min(1), ProviderLimits).optional(),
  /** `github:` or `fake:`, with an address behind it for another place than the remote, `none` for none; without it the remote's address decides. */
  forge: z.string().optional(),
  pullRequests: PullRequestSettings.optional(),
  /** How the time that loops save is estimated: so much for a finding that was fixed by itself, so much for a round. */
  analytics: TimeSavedFormula.partial().loose().optional(),
};

/** `{DATA_DIR}/settings.json`. Unknown keys belong to other tools and survive. */
export const GlobalSettings = z.looseObject({
  version: z.literal(4).optional(),
  useWorktrees: z.boolean().optional(),
  phaseModels: z.looseObject({}).optional(),
  projects: z.array(z.unknown()).optional(),
  ...shared,
  /** How agents are started. Only the user's own settings can say it: a repository must not choose programs and keys. */
  agentSetup: byName(AgentWithSetup, AgentSettings).optional(),
  /** Whether agents may run where nothing can shut them in. Only the user's own settings can say it. */
  sandbox: z.enum(["when-possible", "required"]).optional(),
  notifications: NotificationSettings.optional(),
});
export type GlobalSettings = z.infer<typeof GlobalSettings>;

/** `.automaker/settings.json` of one project; it wins over the global settings. */
export const ProjectSettings = z.looseObject({
  version: z.literal(1).optional(),
  ...shared,
  worktree: WorkspaceSetup.refine(({ home }) => home === undefined, {
    path: ["home"],
    error: "only your own settings can say where workspaces lie: {DATA_DIR}/settings.json",
  }).optional(),
  /** Without it nothing leaves the machine. Only a project's own settings can give it. */
  pushConsent: PushConsent.optional(),
  notifications: ProjectNotificationSettings.optional(),
});
export type ProjectSettings = z.infer<typeof ProjectSettings>;

/** One line per problem: where it is and what would be allowed there. */
export function describeIssues(error: z.ZodError): string[] {
  return error.issues.map((issue) => `${pathText(issue.path)}: ${describe(issue)}`);
}

type Issue = z.core.$ZodIssue;

function describe(issue: Issue): string {
  switch (issue.code) {
    case "invalid_value":
      return `expected ${oneOf(issue.values.map((value) => JSON.stringify(value)))}`;
    case "unrecognized_keys":
      return `unknown ${issue.keys.length === 1 ? "key" : "keys"} ${issue.keys.join(", ")}`;
    case "invalid_union":
      return describeUnion(issue);
    case "invalid_key":
      return issue.issues.map(describe).join("; ");
    default:
      return issue.message.replace(/^Invalid input: /, "");
  }
}

function describeUnion(issue: Extract<Issue, { code: "invalid_union" }>): string {
  // An unknown discriminator has no branches to explain; zod's message lists what it may be.
  if (issue.errors.length === 0) return issue.message.replace(/^.*Expected/, "expected one of");
  const alternatives = issue.errors.flat().map((inner) => {
    const where = inner.path.length > 0 ? `${pathText(inner.path)}: ` : "";
    return where + describeAlternative(inner);
  });
  return [...new Set(alternatives)].join(", or ");
}

function describeAlternative(issue: Issue): string {
  // A template literal says nothing readable by itself; its pattern does.
  if (issue.code === "invalid_format" && issue.format === "template_literal") return `text matching ${issue.pattern}`;
  return describe(issue);
}

function oneOf(values: string[]): string {
  return values.length === 1 ? values.join() : `one of ${values.join(", ")}`;
}

function pathText(path: readonly PropertyKey[]): string {
  const text = path
    .map((key) => (typeof key === "number" ? `[${key}]` : key === "" ? '[""]' : `.${String(key)}`))
    .join("");
  return text === "" ? "(top level)" : text.replace(/^\./, "");
}
