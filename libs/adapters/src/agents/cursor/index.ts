import { INSTALL } from "@anneal/core/agents";
import type { Agent, AgentRequest } from "../../ports.ts";
import { type AgentSetup, type Cli, cliAgent } from "../cli/cli-agent.ts";
import { NETWORK_ENV } from "../cli/network-env.ts";
import { mayWrite } from "../cli/roles.ts";
import { cursorTranscript } from "./transcript.ts";

/** Cursor's command line, by its documented contract: it is not on npm, so no test here runs the real one. */
export function cursorAgent(setup: AgentSetup = {}): Agent {
  return cliAgent(cursor, setup);
}

const cursor: Cli = {
  name: "cursor",
  // Its ask mode is a promise that nobody here has tested, and it has no schema.
  capabilities: { schema: "prompted", readOnly: "none", cost: "none", streaming: "events" },
  program: "cursor-agent",
  install: `Install Cursor's command line (${INSTALL.cursor}) and sign in with: cursor-agent login`,
  env: ["CURSOR_API_KEY", "XDG_CONFIG_HOME", ...NETWORK_ENV],
  login: [".cursor/cli-config.json", ".config/cursor"],
  // Hooks and tool servers of the repository.
  obeys: [".cursor"],
  launch: (request) => ({ args: argsFor(request), input: request.prompt }),
  transcript: () => cursorTranscript(),
};

function argsFor({ role, model }: AgentRequest): string[] {
  return [
    // Without --trust it asks whether the folder is to be trusted, and nobody is there to answer.
    ...["-p", "--output-format", "stream-json", "--trust"],
    ...(mayWrite(role) ? ["--force"] : ["--mode", "ask"]),
    ...(model === undefined ? [] : [`--model=${model}`]),
  ];
}
