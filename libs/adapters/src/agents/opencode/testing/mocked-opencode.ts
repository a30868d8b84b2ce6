import { TEST_KEY } from "../../../testing/real-agent-suite.ts";
import { realCli } from "../../../testing/real-clis.ts";
import type { AgentSetup } from "../../cli/cli-agent.ts";

/** The real opencode with a home of its own and a provider `mock`, whose model is at this address. */
export function mockedOpencode(url: string, home: string): AgentSetup {
  const config = {
    enabled_providers: ["mock"],
    small_model: "mock/scripted",
    provider: {
      mock: {
        npm: "@ai-sdk/openai-compatible",
        name: "mock",
        options: { baseURL: `${url}/v1`, apiKey: "{env:MOCK_API_KEY}" },
        models: { scripted: { name: "scripted", limit: { context: 2_000_000, output: 32_000 } } },
      },
    },
  };
  return {
    command: [realCli("opencode")],
    env: { HOME: home, MOCK_API_KEY: TEST_KEY, OPENCODE_CONFIG_CONTENT: JSON.stringify(config) },
  };
}
