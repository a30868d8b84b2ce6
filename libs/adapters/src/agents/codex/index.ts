import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Agent, AgentRequest } from "../../ports.ts";
import { type AgentSetup, CannotStart, type Cli, cliAgent } from "../cli/cli-agent.ts";
import { CODEX_ENV, INSTALL_CODEX, overrides, readOnlyOverrides, set } from "./command-line.ts";
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
    install: INSTALL_CODEX,
    env: CODEX_ENV,
    async launch(request, scratch) {
      const config = await userConfig(setup);
      const args = [
        ...["exec", "--json", "--ephemeral", "--ignore-rules", "--skip-git-repo-check", "--color", "never"],
        ...["-o", lastMessageIn(scratch), "-C", request.cwd],
        ...(await accessOf(request, config, scratch)),
        ...(request.schema === undefined ? [] : ["--output-schema", await schemaFile(request.schema, scratch)]),
        ...(request.model === undefined ? [] : [`--model=${request.model}`]),
        "-",
      ];
      return { args, input: request.prompt, env: config.env, secret: Object.keys(config.env) };
    },
    transcript: codexTranscript,
  };
}

async function accessOf({ role, cwd }: AgentRequest, config: UserConfig, scratch: string): Promise<string[]> {
  if (role === "reviewer" || role === "analyst")
    return ["--sandbox", "read-only", ...overrides(cwd), ...readOnlyOverrides(config), ...withoutSkillsOf(cwd)];
  return ["--sandbox", "workspace-write", ...(await ownTemporary(config, scratch)), ...overrides(cwd)];
}

/** All of /tmp could be written otherwise, where other work trees and other runs may lie; test suites need some folder. */
async function ownTemporary({ writableRoots, shellEnv }: UserConfig, scratch: string): Promise<string[]> {
  const folder = join(scratch, "tmp");
  await mkdir(folder, { recursive: true });
  return [
    ...set("sandbox_workspace_write.exclude_slash_tmp", true),
    ...set("sandbox_workspace_write.exclude_tmpdir_env_var", true),
    ...set("sandbox_workspace_write.writable_roots", [...writableRoots, folder]),
    ...set("shell_environment_policy.set", { ...shellEnv, TMPDIR: folder, TMP: folder, TEMP: folder }),
  ];
}

async function schemaFile(schema: object, scratch: string): Promise<string> {
  const problem = strictProblem(schema);
  if (problem !== undefined) throw new CannotStart(`codex does not support this schema: ${problem}`);
  const file = join(scratch, "schema.json");
  await writeFile(file, JSON.stringify(schema));
  return file;
}
