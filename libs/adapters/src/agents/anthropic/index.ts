import type { Agent } from "../../ports.ts";
import { type ApiSetup, apiAgent } from "../api/api-agent.ts";
import { failedBy, refusalOf } from "../api/failures.ts";
import { askAnthropic } from "./ask.ts";

/** As the SDK lists the newest of each family. */
const ALIASES = { sonnet: "claude-sonnet-5-5", opus: "claude-opus-5-5", haiku: "claude-haiku-5-5" };

/** Anthropic's Messages API, for reviews and analyses without a command-line agent. */
export function anthropicAgent(setup: ApiSetup = {}): Agent {
  return apiAgent(
    {
      name: "anthropic",
      keyVariable: "ANTHROPIC_API_KEY",
      urlVariable: "ANTHROPIC_BASE_URL",
      defaultModel: ALIASES.sonnet,
      aliases: ALIASES,
      ask: askAnthropic,
      failure: (error) => {
        const refusal = refusalOf(error);
        return refusal && failedBy(refusal, "Check the key in ANTHROPIC_API_KEY.");
      },
    },
    setup,
  );
}
