import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Argv } from "@anneal/system/programs/command";
import type { Agent } from "../../ports.ts";
import { type AgentSetup, type Cli, cliAgent } from "../cli/cli-agent.ts";
import { NETWORK_ENV } from "../cli/network-env.ts";
import { commandTranscript } from "./transcript.ts";

export interface CommandSetup extends AgentSetup {
  command: Argv;
  /** What it is called here. */
  name?: string;
}

/**
 * Any program as an agent: the prompt comes on its standard input, its answer is plain text or one JSON object on standard output.
 * `{"text": …, "structured": …, "model": …, "usage": {…}}` says everything; any other object is the structured answer itself.
 * As reviewer or analyst it is shut in from outside.
 */
export function commandAgent({ name = "command", ...setup }: CommandSetup): Agent {
  return cliAgent(commandOf(name), setup);
}

function commandOf(name: string): Cli {
  return {
    name,
    capabilities: { schema: "prompted", readOnly: "none", cost: "reported", streaming: "events" },
    program: "command",
    install: 'Correct "command" of this agent in the settings: ["PROGRAM", "ARGUMENT"].',
    env: NETWORK_ENV,
    async launch({ role, model, schema, prompt }, scratch) {
      const file = join(scratch, "schema.json");
      if (schema !== undefined) await writeFile(file, JSON.stringify(schema));
      const env = {
        ANNEAL_ROLE: role,
        ...(model === undefined ? {} : { ANNEAL_MODEL: model }),
        ...(schema === undefined ? {} : { ANNEAL_SCHEMA: file }),
      };
      return { args: [], input: prompt, env };
    },
    transcript: () => commandTranscript(name),
  };
}
