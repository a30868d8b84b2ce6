import { join } from "node:path";
import { INSTALL } from "@anneal/core/agents";
import type { Agent, AgentRequest } from "../../ports.ts";
import { type AgentSetup, CannotStart, type Cli, cliAgent } from "../cli/cli-agent.ts";
import { objectOf, type UnknownRecord } from "../cli/json-line.ts";
import { NETWORK_ENV } from "../cli/network-env.ts";
import { mayWrite } from "../cli/roles.ts";
import { opencodeTranscript } from "./transcript.ts";

/** opencode. Set-up: `opencode` on the PATH and a provider that it is signed in to; models are named provider/model. */
export function opencodeAgent(setup: AgentSetup = {}): Agent {
  // What the user hands over as settings is in ours, which must not be replaced by it.
  const { OPENCODE_CONFIG_CONTENT: _, ...env } = setup.env ?? {};
  return cliAgent(opencodeOf(setup), { ...setup, env });
}

function opencodeOf(setup: AgentSetup): Cli {
  return {
    name: "opencode",
    capabilities: { schema: "prompted", readOnly: "config", cost: "reported", streaming: "events" },
    program: "opencode",
    install: `Install it with \`${INSTALL.opencode}\`.`,
    env: [
      ...["OPENCODE_CONFIG", "OPENCODE_CONFIG_DIR", "OPENCODE_API_KEY", "XDG_CONFIG_HOME", "XDG_DATA_HOME"],
      ...["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY"],
      ...["OPENROUTER_API_KEY", "GROQ_API_KEY", "XAI_API_KEY", "MISTRAL_API_KEY", "DEEPSEEK_API_KEY", ...NETWORK_ENV],
    ],
    login: [...SETTINGS.map((name) => `.config/opencode/${name}`), ".local/share/opencode/auth.json"],
    keeps({ at }) {
      const settings = join(at(".config", "XDG_CONFIG_HOME"), "opencode");
      const cache = join(at(".cache", "XDG_CACHE_HOME"), "opencode");
      const others = [
        join(at(".local/share", "XDG_DATA_HOME"), "opencode"),
        join(at(".local/state", "XDG_STATE_HOME"), "opencode"),
      ];
      return { state: [settings, cache, ...others], fixed: SETTINGS.map((name) => join(settings, name)) };
    },
    // It imports plugins from there whatever its own switches say.
    obeys: [".opencode", "opencode.json", "opencode.jsonc"],
    // Handed to the model as instructions when it reads a file next to or below them; no switch keeps it from that.
    instructedBy: ["AGENTS.md", "AGENTS.local.md", "CONTEXT.md", "CONTEXT.local.md", "CLAUDE.md", "CLAUDE.local.md"],
    launch: (request) => ({
      args: argsFor(request),
      env: { ...QUIET, OPENCODE_CONFIG_CONTENT: JSON.stringify(configOver(setup)) },
      input: request.prompt,
    }),
    transcript: opencodeTranscript,
  };
}

/** Not their folder as a whole: where it has no settings opencode writes some into it, and breaks if it cannot. */
const SETTINGS = [
  ...["config.json", "opencode.json", "opencode.jsonc", "AGENTS.md", "package.json", "node_modules"],
  ...["agent", "agents", "command", "commands", "mode", "modes", "skill", "skills", "tool", "tools"],
  ...["plugin", "plugins"],
];

function argsFor({ role, model }: AgentRequest): string[] {
  return [
    ...["run", "--pure", "--format", "json", "--agent", mayWrite(role) ? "anneal-writes" : "anneal-reads"],
    // With a title of ours it does not ask the model for one.
    ...["--title", "anneal"],
    // Failed requests that it tries again are reported nowhere else.
    ...["--print-logs", "--log-level", "ERROR"],
    ...(model === undefined ? [] : [`--model=${model}`]),
  ];
}

/** Nothing that the repository brings along is run or obeyed: it is part of what is judged. */
const QUIET = {
  OPENCODE_DISABLE_PROJECT_CONFIG: "1",
  OPENCODE_DISABLE_CLAUDE_CODE: "1",
  OPENCODE_DISABLE_EXTERNAL_SKILLS: "1",
  OPENCODE_PURE: "1",
  OPENCODE_DISABLE_AUTOUPDATE: "1",
  OPENCODE_DISABLE_MODELS_FETCH: "1",
  OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
  OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
  OPENCODE_DISABLE_SHARE: "1",
};

const READS = { "*": "deny", read: "allow", grep: "allow", glob: "allow", list: "allow" };

const OURS: UnknownRecord = {
  share: "disabled",
  autoupdate: false,
  snapshot: false,
  formatter: false,
  lsp: false,
  agent: {
    "anneal-reads": { mode: "primary", permission: READS },
    "anneal-writes": { mode: "primary", permission: { ...READS, edit: "allow" } },
  },
};

/** Laid over the user's own settings; what they hand over the same way stays, under ours. */
function configOver({ env }: AgentSetup): UnknownRecord {
  const theirs = env?.OPENCODE_CONFIG_CONTENT ?? process.env.OPENCODE_CONFIG_CONTENT;
  if (theirs === undefined) return OURS;
  let config: UnknownRecord | undefined;
  try {
    config = objectOf(JSON.parse(theirs));
  } catch {
    config = undefined;
  }
  if (config === undefined) throw new CannotStart("OPENCODE_CONFIG_CONTENT is not a JSON object");
  return { ...config, ...OURS, agent: { ...objectOf(config.agent), ...objectOf(OURS.agent) } };
}
