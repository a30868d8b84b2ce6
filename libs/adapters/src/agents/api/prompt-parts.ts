/** A prompt as what stays the same from run to run, and the rest. */
export interface PromptParts {
  /** Empty where the two cannot be told apart. */
  stable: string;
  rest: string;
}

/** Our prompts say what is data, with a nonce of the run, only after everything that stays the same. */
const NOTICE = "\n\n---\n\n## Data\n\n";

/** Splits a prompt so that a provider's cache can keep the part that comes again. */
export function promptParts(prompt: string): PromptParts {
  const at = prompt.indexOf(NOTICE);
  if (at <= 0) return { stable: "", rest: prompt };
  return { stable: prompt.slice(0, at), rest: prompt.slice(at + 2) };
}
