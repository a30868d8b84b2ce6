import { type Composed, compose } from "../compose.ts";
import { loadPrompt } from "../load.ts";

/** Asks whether an answer that passes by its form approves without reservation. The text is all there is to judge. */
export function secondLookPrompt({ nonce, answer }: { nonce: string; answer: string }): Composed {
  return compose(nonce, (fence) => ({
    system: [loadPrompt("again/second-look.md")],
    prompt: ["## The Answer", fence.exact("the reviewer's answer", answer), loadPrompt("again/second-look-form.md")],
  }));
}
