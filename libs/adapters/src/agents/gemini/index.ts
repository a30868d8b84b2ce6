import { readdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { INSTALL } from "@anneal/core/agents";
import type { Agent, AgentRequest } from "../../ports.ts";
import { type AgentSetup, type Cli, cliAgent } from "../cli/cli-agent.ts";
import { NETWORK_ENV } from "../cli/network-env.ts";
import { mayWrite } from "../cli/roles.ts";
import { makeHome, SIGN_IN } from "./home.ts";
import { geminiTranscript } from "./transcript.ts";

/** Gemini CLI. Set-up: `gemini` on the PATH, and a login of its own or GEMINI_API_KEY. */
export function geminiAgent(setup: AgentSetup = {}): Agent {
  // Its home is one of ours, in which the user's sign-in is found.
  const { GEMINI_CLI_HOME: _, ...env } = setup.env ?? {};
  return cliAgent(geminiOf(setup), { ...setup, env });
}

function geminiOf(setup: AgentSetup): Cli {
  return {
    name: "gemini",
    capabilities: { schema: "prompted", readOnly: "config", cost: "none", streaming: "events" },
    program: "gemini",
    install: `Install it with \`${INSTALL.gemini}\`.`,
    env: [
      ...["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GEMINI_BASE_URL", "GOOGLE_GENAI_USE_VERTEXAI"],
      ...["GOOGLE_VERTEX_BASE_URL", "GOOGLE_GENAI_USE_GCA", "GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_LOCATION"],
      ...["GOOGLE_APPLICATION_CREDENTIALS", "GEMINI_MODEL", ...NETWORK_ENV],
    ],
    login: SIGN_IN.map((file) => `.gemini/${file}`),
    keeps({ at }) {
      const folder = join(setup.env?.GEMINI_CLI_HOME ?? at("", "GEMINI_CLI_HOME"), ".gemini");
      return { state: [folder], fixed: STEERS.map((name) => join(folder, name)) };
    },
    async launch(request, scratch) {
      const policy = join(scratch, "policy.toml");
      await writeFile(policy, policyFor(request));
      await makeHome(scratch, setup);
      const model = request.model === undefined ? [] : [`--model=${request.model}`];
      return {
        args: ["-o", "stream-json", "--admin-policy", policy, ...model],
        // It leaves reports of errors, with the whole prompt, among the temporary files.
        env: { ...QUIET, GEMINI_CLI_HOME: scratch, TMPDIR: scratch },
        input: request.prompt,
        ...(hasSystemPolicies() ? { shutIn: true } : {}),
      };
    },
    transcript: geminiTranscript,
  };
}

/** What the user's own gemini obeys: an agent must not speak to it. */
const STEERS = [
  "settings.json",
  ".env",
  "GEMINI.md",
  "commands",
  "extensions",
  "skills",
  "agents",
  "policies",
  "hooks",
];

const QUIET = {
  // What lies in the repository's .gemini folder, hooks and tool servers above all, is part of what is judged.
  GEMINI_CLI_TRUST_WORKSPACE: "false",
  GEMINI_CLI_NO_RELAUNCH: "true",
  GEMINI_TELEMETRY_ENABLED: "false",
  NO_COLOR: "1",
};

const READS = ["read_file", "read_many_files", "list_directory", "glob", "grep_search", "search_file_content"];
const WRITES = ["replace", "write_file"];

/** A policy of the administrator's rank counts over every other. Tools that it denies are not even offered to the model. */
function policyFor({ role }: AgentRequest): string {
  const tools = mayWrite(role) ? [...READS, ...WRITES] : READS;
  return [
    '[[rule]]\ntoolName = "*"\ndecision = "deny"\npriority = 500',
    `[[rule]]\ntoolName = ${JSON.stringify(tools)}\ndecision = "allow"\npriority = 600`,
    "",
  ].join("\n\n");
}

/** Where the machine has policies of its own, it does not look at ours. */
function hasSystemPolicies(): boolean {
  try {
    return readdirSync("/etc/gemini-cli/policies").some((name) => name.endsWith(".toml"));
  } catch {
    return false;
  }
}
