import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Agent } from "../../../ports.ts";
import { type AcpSetup, acpAgent } from "../index.ts";
import type { StandInRun } from "./stand-in.ts";

/** An ACP agent that plays the given runs, one after the other. Its plan lies in the folder. */
export function standInAgent(runs: StandInRun[], folder: string, setup: Partial<AcpSetup> = {}): Agent {
  const planFile = join(folder, "plan.json");
  const turnFile = join(folder, "turn");
  writeFileSync(planFile, JSON.stringify({ runs, turnFile }));
  writeFileSync(turnFile, "0");
  const program = fileURLToPath(new URL("./stand-in.ts", import.meta.url));
  return acpAgent({
    command: [process.execPath, program, planFile],
    ...setup,
    writable: [folder, ...(setup.writable ?? [])],
  });
}
