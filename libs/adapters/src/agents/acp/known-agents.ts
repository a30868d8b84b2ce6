import { basename } from "node:path";
import type { Argv } from "@anneal/system/programs/command";

/** What agents that people use need of the user, so that they are signed in. */
interface KnownAgent {
  /** Variables of our environment: keys, addresses, and where settings lie. */
  env: readonly string[];
  /** Files and folders in the home folder. They are named one by one, so that it can keep its state next to them. */
  login: readonly string[];
  /** Files and folders of a work tree that it would take orders from; it does not see them. */
  obeys: readonly string[];
}

const GEMINI: KnownAgent = {
  env: [
    ...["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GEMINI_BASE_URL", "GEMINI_MODEL", "GOOGLE_GENAI_USE_VERTEXAI"],
    ...["GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_LOCATION"],
  ],
  login: ["settings.json", "oauth_creds.json", "google_accounts.json", "installation_id", ".env"].map(
    (file) => `.gemini/${file}`,
  ),
  obeys: [".gemini"],
};

const OPENCODE: KnownAgent = {
  env: ["OPENCODE_CONFIG", "OPENCODE_CONFIG_CONTENT", "ANTHROPIC_API_KEY", "OPENAI_API_KEY", "OPENROUTER_API_KEY"],
  login: [".config/opencode", ".local/share/opencode/auth.json"],
  obeys: [".opencode", "opencode.json", "opencode.jsonc"],
};

const CLAUDE: KnownAgent = {
  env: ["ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"],
  login: [".claude/.credentials.json", ".claude/settings.json"],
  obeys: [".claude", ".mcp.json"],
};

const CODEX: KnownAgent = {
  env: ["OPENAI_API_KEY", "CODEX_API_KEY", "OPENAI_BASE_URL"],
  login: [".codex/auth.json", ".codex/config.toml"],
  obeys: [".codex"],
};

const KNOWN: Readonly<Record<string, KnownAgent>> = {
  gemini: GEMINI,
  "gemini-cli": GEMINI,
  opencode: OPENCODE,
  "opencode-ai": OPENCODE,
  "claude-agent-acp": CLAUDE,
  "claude-code-acp": CLAUDE,
  "codex-acp": CODEX,
};

/** Found by the name of the program, also behind `npx` and the like. */
export function knownAgent(command: Argv): KnownAgent | undefined {
  const names = command.map((word) => basename(word).replace(/(.)@.*$/, "$1"));
  const name = names.find((one) => Object.hasOwn(KNOWN, one));
  return name === undefined ? undefined : KNOWN[name];
}
