import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe } from "vitest";
import { realAgentSuite, TEST_KEY } from "../../testing/real-agent-suite.ts";
import { ALL_AGENTS, realCli } from "../../testing/real-clis.ts";
import { acpAgent } from "./index.ts";

describe.runIf(ALL_AGENTS)("over ACP", () => {
  realAgentSuite({
    name: "gemini --acp",
    make: (url, home) => {
      mkdirSync(join(home, ".gemini"), { recursive: true });
      const settings = {
        security: { auth: { selectedType: "gemini-api-key" } },
        general: { disableAutoUpdate: true, disableUpdateNag: true, enableAutoUpdate: false, maxAttempts: 1 },
        privacy: { usageStatisticsEnabled: false },
      };
      writeFileSync(join(home, ".gemini/settings.json"), JSON.stringify(settings));
      return acpAgent({
        name: "gemini-acp",
        command: [realCli("gemini"), "--acp"],
        env: {
          HOME: home,
          GEMINI_API_KEY: TEST_KEY,
          GOOGLE_GEMINI_BASE_URL: url,
          GEMINI_CLI_NO_RELAUNCH: "true",
          GEMINI_TELEMETRY_ENABLED: "false",
          NO_COLOR: "1",
        },
      });
    },
    model: "gemini-2.5-pro",
    answers: "text",
    edit: (path, before, now) => [
      {
        name: "replace",
        input: { file_path: path, instruction: "Count on.", old_string: before, new_string: now },
      },
    ],
    writes: (path, content) => [{ name: "write_file", input: { file_path: path, content } }],
    shell: (command) => ({ name: "run_shell_command", input: { command, description: "Run it." } }),
    runsCommandsAs: "fixer",
    attacksAre: "stopped",
    silenceMs: 15_000,
  });

  realAgentSuite({
    name: "opencode acp",
    make: (url, home) =>
      acpAgent({
        name: "opencode-acp",
        command: [realCli("opencode"), "acp", "--pure"],
        env: {
          HOME: home,
          OPENCODE_CONFIG_CONTENT: JSON.stringify({
            model: "mock/scripted",
            small_model: "mock/scripted",
            enabled_providers: ["mock"],
            share: "disabled",
            // It asks for nothing, and ends its turn at the first no: only the walls around it are left.
            permission: { edit: "allow", bash: "allow", webfetch: "allow", external_directory: "allow" },
            autoupdate: false,
            provider: {
              mock: {
                npm: "@ai-sdk/openai-compatible",
                name: "mock",
                options: { baseURL: `${url}/v1`, apiKey: TEST_KEY },
                models: { scripted: { name: "scripted", limit: { context: 2_000_000, output: 32_000 } } },
              },
            },
          }),
          ...Object.fromEntries(
            ["AUTOUPDATE", "MODELS_FETCH", "LSP_DOWNLOAD", "DEFAULT_PLUGINS", "SHARE"].map((what) => [
              `OPENCODE_DISABLE_${what}`,
              "1",
            ]),
          ),
        },
      }),
    model: "mock/scripted",
    answers: "text",
    edit: (path, before, now) => [
      { name: "read", input: { filePath: path } },
      { name: "edit", input: { filePath: path, oldString: before, newString: now } },
    ],
    writes: (path, content) => [{ name: "write", input: { filePath: path, content } }],
    shell: (command) => ({ name: "bash", input: { command, description: "Run it." } }),
    runsCommandsAs: "fixer",
    attacksAre: "stopped",
    silenceMs: 30_000,
  });
});
