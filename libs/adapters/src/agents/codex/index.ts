import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Agent, AgentRequest } from "../../ports.ts";
import { type AgentSetup, CannotStart, type Cli, cliAgent } from "../cli/cli-agent.ts";
import { CODEX_ENV, INSTALL, overrides, readOnlyOverrides } from "./command-line.ts";
import { withoutSkillsOf } from "./repository-skills.ts";
import { strictProblem } from "./strict-schema.ts";
import { codexTranscript, lastMessageIn } from "./transcript.ts";
import { type UserConfig, userConfig } from "./user-config.ts";

/** Codex through `codex exec`. Set-up: `codex` on the PATH and signed in; its own config.toml applies. */
export function codexAgent(setup: AgentSetup = {}): Agent {
  return cliAgent(codexOf(setup), setup);
}

function codexOf(setup: AgentSetup): Cli {
  return {
    name: "codex",
    capabilities: { schema: "forwarded", readOnly: "os", cost: "none", streaming: "events" },
    program: "codex",
    install: INSTALL,
    env: CODEX_ENV,
    async launch(request, scratch) {
      const config = await userConfig(setup);
      const args = [
        ...["exec", "--json", "--ephemeral", "--ignore-rules", "--skip-git-repo-check", "--color", "never"],
        ...["-o", lastMessageIn(scratch), "-C", request.cwd],
        ...accessOf(request, config),
        ...(request.schema === undefined ? [] : ["--output-schema", await schemaFile(request.schema, scratch)]),
        ...(request.model === undefined ? [] : [`--model=${request.model}`]),
        "-",
      ];
      return { args, input: request.prompt, env: config.env, secret: Object.keys(config.env) };
    },
    transcript: codexTranscript,
  };
}

function accessOf({ role, cwd }: AgentRequest, config: UserConfig): string[] {
  const reads = role === "reviewer" || role === "analyst";
  return reads
    ? ["--sandbox", "read-only", ...overrides(cwd), ...readOnlyOverrides(config), ...withoutSkillsOf(cwd)]
    : ["--sandbox", "workspace-write", ...NOT_EVEN_TMP, ...overrides(cwd)];
}

/** Without these all of /tmp can be written, where other work trees and other runs may lie. */
const NOT_EVEN_TMP = [
  ...["-c", "sandbox_workspace_write.exclude_slash_tmp=true"],
  ...["-c", "sandbox_workspace_write.exclude_tmpdir_env_var=true"],
];

async function schemaFile(schema: object, scratch: string): Promise<string> {
  const problem = strictProblem(schema);
  if (problem !== undefined) throw new CannotStart(`codex cannot be asked for this schema: ${problem}`);
  const file = join(scratch, "schema.json");
  await writeFile(file, JSON.stringify(schema));
  return file;
}
