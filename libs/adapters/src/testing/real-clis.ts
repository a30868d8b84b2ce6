import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

interface Pin {
  version: string;
}

/** The path of a real command-line agent, in exactly the version that the project pins. */
export function realCli(name: string): string {
  const pins = JSON.parse(readFileSync(new URL("../../../../scripts/agents.json", import.meta.url), "utf8"));
  const pin = (pins as Record<string, Pin>)[name];
  if (pin === undefined) throw new Error(`scripts/agents.json pins no ${name}`);
  const path = join(cacheHome(), "anneal", "agents", `${name}-${pin.version}`, "node_modules", ".bin", name);
  if (existsSync(path)) return path;
  throw new Error(`${name} ${pin.version} is not installed for the tests: run \`node scripts/agents.mjs --all\``);
}

function cacheHome(): string {
  return process.env.ANNEAL_AGENTS_CACHE || process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
}

/** Whether the agents that take long are tested too: `npm run test:agents -- --all`. */
export const ALL_AGENTS = process.env.ANNEAL_ALL_AGENTS === "1";
