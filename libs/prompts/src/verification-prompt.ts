import type { Finding } from "@anneal/types";
import { type Composed, compose, section } from "./compose.ts";
import { factLines } from "./contracts.ts";
import { loadPrompt } from "./load.ts";
import type { VerificationPromptRequest } from "./request.ts";

/** The prompt of the agent that confirms or refutes findings. */
export function verificationPrompt({ nonce, workItem, base, head, findings }: VerificationPromptRequest): Composed {
  return compose(nonce, (fence) => ({
    system: [loadPrompt("verification/verifier.md")],
    prompt: [
      "# Findings to Verify",
      section("## The Change", factLines({ "Base commit": base, "Head commit": head }, fence)),
      section(
        "## Work Item",
        workItem.title === "" && workItem.description === ""
          ? undefined
          : fence.block("work item", `${workItem.title}\n\n${workItem.description}`),
      ),
      ...findings.flatMap(({ finding, code }, index) => [
        `## Finding ${index + 1}`,
        fence.block(`finding ${index + 1}`, described(finding)),
        code === null ? undefined : fence.exact(`the code there, with line numbers`, code),
      ]),
      loadPrompt("verification/form.md"),
    ],
  }));
}

function described({ severity, category, title, description, impact, file, line, endLine }: Finding): string {
  const lines = line === undefined ? "" : `:${line}${endLine === undefined || endLine === line ? "" : `-${endLine}`}`;
  return [
    `${severity} ${category}: ${title}`,
    ...(file === undefined ? [] : [`Place: ${file}${lines}`]),
    "",
    description,
    ...(impact === undefined ? [] : ["", impact]),
  ].join("\n");
}
