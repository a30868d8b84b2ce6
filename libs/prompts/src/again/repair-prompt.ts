import { asOneText, type Composed, compose, join } from "../compose.ts";
import { protocolOf } from "../contracts.ts";
import { loadPrompt } from "../load.ts";
import type { RepairPromptRequest } from "../request.ts";

/** The prompt for a reviewer whose answer breaks its form; agents remember nothing, so it stands below the whole first request. */
export function repairPrompt({ nonce, contract, problems, answer, rulings }: RepairPromptRequest): Composed {
  return compose(nonce, (fence) => ({
    system: [loadPrompt("again/repair.md")],
    prompt: [
      "## What is wrong with it",
      fence.block("what is wrong with the form", problems.map((problem) => `- ${problem}`).join("\n")),
      "## Your answer",
      fence.block("your answer", answer),
      protocolOf(contract, rulings),
    ],
  }));
}

/** The first request with the one to repair its answer below. */
export function withRepair(first: string, repair: { system: string; prompt: string }): string {
  return join([first, "---", asOneText(repair)]);
}
