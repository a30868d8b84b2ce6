import type { Agent } from "../../ports.ts";
import { type ApiSetup, apiAgent } from "../api/api-agent.ts";
import { failedBy, refusalOf } from "../api/failures.ts";
import { askOpenai } from "./ask.ts";

/** OpenAI's Responses API, for reviews and analyses without a command-line agent. */
export function openaiAgent(setup: ApiSetup = {}): Agent {
  return apiAgent(
    {
      name: "openai",
      keyVariable: "OPENAI_API_KEY",
      urlVariable: "OPENAI_BASE_URL",
      defaultModel: "gpt-5.5",
      ask: askOpenai,
      failure: (error) => {
        const refusal = refusalOf(error);
        return refusal && failedBy(refusal, "Check the key in OPENAI_API_KEY.");
      },
    },
    setup,
  );
}
