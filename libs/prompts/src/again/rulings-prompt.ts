import { type Composed, compose, section } from "../compose.ts";
import { factLines } from "../contracts.ts";
import { earlierFindings } from "../finding-lists.ts";
import { loadPrompt } from "../load.ts";
import type { RulingsPromptRequest } from "../request.ts";

/** The prompt for a reviewer that passed a change and left findings of earlier rounds unruled. */
export function rulingsPrompt(request: RulingsPromptRequest): Composed {
  const { nonce, workItem, base, head, summary, findings, words } = request;
  const { title, description } = workItem;
  return compose(nonce, (fence) => ({
    system: [loadPrompt("again/rulings.md")],
    prompt: [
      "# Earlier Findings to Rule On",
      section("## The Change", factLines({ "Base commit": base, "Head commit": head }, fence)),
      section(
        "## Work Item",
        title + description === "" ? undefined : fence.block("work item", `${title}\n\n${description}`),
      ),
      section(
        "## Your Report on It",
        summary.trim() === "" ? undefined : fence.block("summary of your report", summary),
      ),
      "## Findings",
      fence.block(
        "findings of earlier rounds",
        earlierFindings(
          findings.map(({ entry }) => entry),
          words,
        ),
      ),
      ...findings.map(({ code }, index) =>
        code === null
          ? undefined
          : fence.exact(`the code of finding ${index + 1} as it is now, with line numbers`, code),
      ),
      loadPrompt("again/rulings-form.md"),
    ],
  }));
}
