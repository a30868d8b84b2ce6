import type { Composed, ComposedPrompt } from "../compose.ts";
import { NONCE } from "./requests.ts";

export function composed(result: Composed): ComposedPrompt {
  if (!result.ok) throw new Error(`not composed: the nonce is in ${result.labels.join(", ")}`);
  return result;
}

/** The text outside of the fences: what an agent may take as said by us. */
export function outsideFences(text: string): string {
  return text
    .split(`<<<<< BEGIN DATA ${NONCE}: `)
    .map((part, index) => (index === 0 ? part : (part.split(`>>>>> END DATA ${NONCE}`)[1] ?? "")))
    .join("");
}

/** The markdown headings outside of the fences, in order. */
export function headings(text: string): string[] {
  return outsideFences(text)
    .split("\n")
    .filter((line) => /^#{1,3} /.test(line));
}
