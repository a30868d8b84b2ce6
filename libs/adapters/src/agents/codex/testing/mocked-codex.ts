import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TEST_KEY } from "../../../testing/real-agent-suite.ts";
import { realCli } from "../../../testing/real-clis.ts";
import type { AgentSetup } from "../../cli/cli-agent.ts";

/** The real codex with a home of its own, whose model is at this address. */
export function mockedCodex(url: string, home: string): AgentSetup {
  const codexHome = join(home, "codex");
  // Codex does not put its helpers under the folder for temporary files, and without them its sandbox runs nothing.
  const temporary = join(home, "tmp");
  for (const folder of [codexHome, temporary]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(codexHome, "config.toml"), config(url));
  return {
    command: [realCli("codex")],
    env: { HOME: home, CODEX_HOME: codexHome, TMPDIR: temporary, MOCK_API_KEY: TEST_KEY },
  };
}

function config(url: string): string {
  return `model = "gpt-5.5"
model_provider = "mock"

[analytics]
enabled = false

[model_providers.mock]
name = "mock"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "MOCK_API_KEY"
request_max_retries = 0
stream_max_retries = 0
`;
}
