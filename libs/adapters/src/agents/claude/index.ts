import { join } from "node:path";
import { INSTALL } from "@anneal/core/agents";
import type { Agent, AgentRequest } from "../../ports.ts";
import { type AgentSetup, CannotStart, type Cli, cliAgent } from "../cli/cli-agent.ts";
import { NETWORK_ENV } from "../cli/network-env.ts";
import { claudeTranscript } from "./transcript.ts";

/** Claude Code. Set-up: `claude` on the PATH, and a login of its own or ANTHROPIC_API_KEY. */
export function claudeAgent(setup: AgentSetup = {}): Agent {
  return cliAgent(claude, setup);
}

const claude: Cli = {
  name: "claude",
  capabilities: { schema: "native", readOnly: "toolset", cost: "reported", streaming: "events" },
  program: "claude",
  install: `Install it with \`${INSTALL.claude}\`.`,
  env: [
    ...["CLAUDE_CONFIG_DIR", "CLAUDE_CODE_OAUTH_TOKEN", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"],
    ...["ANTHROPIC_BASE_URL", "ANTHROPIC_CUSTOM_HEADERS", "ANTHROPIC_MODEL", "ANTHROPIC_SMALL_FAST_MODEL"],
    ...["ANTHROPIC_DEFAULT_OPUS_MODEL", "ANTHROPIC_DEFAULT_SONNET_MODEL", "ANTHROPIC_DEFAULT_HAIKU_MODEL"],
    ...NETWORK_ENV,
  ],
  keeps({ at }) {
    const folder = at(".claude", "CLAUDE_CONFIG_DIR");
    return { state: [folder], fixed: STEERS.map((name) => join(folder, name)), copied: [".claude.json"] };
  },
  launch: (request) => ({ args: argsFor(request), env: QUIET, input: request.prompt }),
  transcript: claudeTranscript,
};

/** What the user's own claude obeys: an agent must not speak to it. */
const STEERS = [
  ...["settings.json", "settings.local.json", "CLAUDE.md", "agents", "commands", "hooks", "plugins", "skills"],
  ...["rules", "output-styles", "workflows", "routines", "local"],
];

function argsFor({ role, schema, model }: AgentRequest): string[] {
  return [
    ...["-p", "--output-format", "stream-json", "--verbose"],
    ...(role === "fixer" || role === "implementer" ? WRITES : READS),
    // Settings, hooks and instructions of the repository are part of what is judged, and must not steer the judge.
    ...["--setting-sources", "", "--strict-mcp-config", "--disable-slash-commands", "--no-session-persistence"],
    ...(schema === undefined ? [] : ["--json-schema", schemaText(schema)]),
    ...(model === undefined ? [] : [`--model=${model}`]),
  ];
}

const READS = ["--tools", "Read,Grep,Glob", "--permission-mode", "dontAsk"];
// Edits inside the work tree are taken; everything else that would be asked about, such as most commands, is refused.
const WRITES = ["--tools", "Read,Grep,Glob,Edit,Write,Bash", "--permission-mode", "acceptEdits"];

/** No traffic but to the model, and no retries of its own: only the caller sees all runs and backs off. */
const QUIET = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  DISABLE_AUTOUPDATER: "1",
  DISABLE_TELEMETRY: "1",
  DISABLE_ERROR_REPORTING: "1",
  CLAUDE_CODE_MAX_RETRIES: "0",
  // Otherwise its prompt holds the latest commits, which name what earlier rounds found.
  CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS: "1",
};

/** An argument list has a limit of 128 KiB for one argument. */
const LONGEST_SCHEMA = 100_000;

function schemaText(schema: object): string {
  const text = JSON.stringify(schema);
  if (Buffer.byteLength(text) <= LONGEST_SCHEMA) return text;
  throw new CannotStart(`the schema is too large for claude: ${text.length} characters`);
}
