import { INSTALL } from "@anneal/core/agents";
import { NETWORK_ENV } from "../cli/network-env.ts";
import type { UserConfig } from "./user-config.ts";

export const INSTALL_CODEX = `Install it with \`${INSTALL.codex}\`.`;
export const CODEX_ENV = ["CODEX_HOME", "CODEX_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL", ...NETWORK_ENV];

/** Holds for every run, whatever the user's own config.toml says. */
export function overrides(cwd: string): string[] {
  return [
    ...set("approval_policy", "never"),
    // A repository's own .codex folder may name programs to start; it is part of what is judged.
    ...set("projects", { [cwd]: { trust_level: "untrusted" } }),
    // Names that hold keys and tokens do not reach the commands that the model runs.
    ...set("shell_environment_policy.ignore_default_excludes", false),
    // Not `--disable`, which other versions refuse where they do not know the feature.
    ...OFF.flatMap((feature) => set(`features.${feature}`, false)),
  ];
}

/** Turns off whatever could act outside of the sandbox, reach the network, or trust the repository's own words. */
export function readOnlyOverrides({ mcpServers }: UserConfig): string[] {
  const off = Object.fromEntries(mcpServers.map((name) => [name, { enabled: false }]));
  return [
    ...READ_ONLY_OFF.flatMap((feature) => set(`features.${feature}`, false)),
    ...set("web_search", "disabled"),
    ...set("project_doc_max_bytes", 0),
    // Else the repository's own skills stand among its instructions, trusted or not.
    ...set("skills.include_instructions", false),
    // Tool servers go by their names only: an empty table leaves them as they are.
    ...(mcpServers.length === 0 ? [] : set("mcp_servers", off)),
  ];
}

const OFF = ["unbounded_connection_retries", "shell_snapshot", "plugins"];
const READ_ONLY_OFF = ["hooks", "apps", "multi_agent", "goals"];

export function set(key: string, value: TomlValue): string[] {
  return ["-c", `${key}=${toml(value)}`];
}

type TomlValue = string | number | boolean | TomlValue[] | { [key: string]: TomlValue };

function toml(value: TomlValue): string {
  // A string of JSON is one of TOML too, if DEL is written out.
  if (typeof value !== "object") return JSON.stringify(value).replaceAll("\x7f", "\\u007f");
  if (Array.isArray(value)) return `[${value.map(toml).join(",")}]`;
  return `{${Object.entries(value)
    .map(([key, inner]) => `${toml(key)}=${toml(inner)}`)
    .join(",")}}`;
}
