import { type Composed, compose } from "../compose.ts";
import { loadPrompt } from "../load.ts";

/** An answer to be read, and those of its findings on which others have ruled. */
export interface SecondLookRequest {
  nonce: string;
  answer: string;
  setAside?: readonly string[];
}

/** Asks whether an answer approves without reservation, apart from what was set aside. The text is all there is to judge. */
export function secondLookPrompt({ nonce, answer, setAside = [] }: SecondLookRequest): Composed {
  return compose(nonce, (fence) => ({
    system: [loadPrompt("again/second-look.md")],
    prompt: [
      "## The Answer",
      fence.exact("the reviewer's answer", answer),
      ...(setAside.length === 0
        ? []
        : [
            "## Findings of the Answer",
            fence.exact("the findings that were set aside", setAside.join("\n")),
            loadPrompt("again/set-aside.md"),
          ]),
      loadPrompt("again/second-look-form.md"),
    ],
  }));
}
