import type { Finding } from "@anneal/types";
import { type Composed, compose } from "../compose.ts";
import { loadPrompt } from "../load.ts";
import type { SamePromptRequest } from "../request.ts";

/** What a reviewer is asked about findings that may be the same. It needs no repository: all that it is to judge stands here. */
export function samePrompt({ nonce, earlier, now, pairs }: SamePromptRequest): Composed {
  return compose(nonce, (fence) => {
    const shown = (all: SamePromptRequest["now"]) =>
      all.map(({ name, finding }) => fence.block(`finding ${name}`, described(finding)));
    return {
      system: [loadPrompt("again/same.md")],
      prompt: [
        "## Findings of Earlier Rounds",
        ...shown(earlier),
        "## Findings of the Latest Review",
        ...shown(now),
        "## Pairs to Judge",
        pairs.map((pair) => `- ${pair.earlier} and ${pair.now}`).join("\n"),
        loadPrompt("again/same-form.md"),
      ],
    };
  });
}

function described({ title, description, impact, file, line, endLine = line, snippet }: Finding): string {
  const lines = line === undefined ? "" : `:${line}${endLine === line ? "" : `-${endLine}`}`;
  return [
    title,
    ...(file === undefined ? [] : [`Place: ${file}${lines}`]),
    "",
    description,
    ...(impact === undefined ? [] : ["", impact]),
    ...(snippet === undefined ? [] : ["", "Code there:", snippet]),
  ].join("\n");
}
