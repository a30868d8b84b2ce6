import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { AgentSetup } from "../cli/cli-agent.ts";
import { objectOf, type UnknownRecord } from "../cli/json-line.ts";

/** What we have to know of the user's own config.toml. It is read, never written. */
export interface UserConfig {
  mcpServers: string[];
  /** The variables from which its model providers take their keys and headers, as they are set here. */
  env: Record<string, string>;
  /** Where a writing agent may write besides, and what its commands find in their environment. */
  writableRoots: string[];
  shellEnv: Record<string, string>;
}

export async function userConfig({ env = {} }: AgentSetup): Promise<UserConfig> {
  const home = env.CODEX_HOME ?? process.env.CODEX_HOME ?? join(env.HOME ?? homedir(), ".codex");
  try {
    const text = await readFile(join(home, "config.toml"), "utf8");
    const { parse } = await import("smol-toml");
    return read(parse(text));
  } catch {
    // There is none, or one that codex itself will refuse and name.
    return { mcpServers: [], env: {}, writableRoots: [], shellEnv: {} };
  }
}

function read(config: UnknownRecord): UserConfig {
  const providers = Object.values(objectOf(config.model_providers) ?? {}).map((one) => objectOf(one) ?? {});
  const names = providers.flatMap(({ env_key, env_http_headers }) => [
    env_key,
    ...Object.values(objectOf(env_http_headers) ?? {}),
  ]);
  const set = names.flatMap((name) => {
    const value = typeof name === "string" ? process.env[name] : undefined;
    return value === undefined ? [] : [[name, value]];
  });
  const { writable_roots: roots } = objectOf(config.sandbox_workspace_write) ?? {};
  const { set: shell } = objectOf(config.shell_environment_policy) ?? {};
  return {
    mcpServers: Object.keys(objectOf(config.mcp_servers) ?? {}),
    env: Object.fromEntries(set),
    writableRoots: Array.isArray(roots) ? roots.filter((root) => typeof root === "string") : [],
    shellEnv: Object.fromEntries(Object.entries(objectOf(shell) ?? {}).filter(isText)),
  };
}

function isText(entry: [string, unknown]): entry is [string, string] {
  return typeof entry[1] === "string";
}
