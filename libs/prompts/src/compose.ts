import { dataNotice, makeFence, type PromptFence } from "./fence.ts";

/** A prompt that is ready to send, or the parts that hold the nonce: then another nonce is needed. */
export type Composed = ComposedPrompt | { ok: false; reason: "nonce-in-content"; labels: string[] };

export interface ComposedPrompt {
  ok: true;
  system: string;
  prompt: string;
  /** Variables of a custom template that nobody knows. */
  unknown: string[];
  /** What was cut, left empty or added, for people to see. */
  notes: string[];
}

/** The parts of a prompt before they are joined; undefined parts are left out. */
export interface Parts {
  system: (string | undefined)[];
  prompt: (string | undefined)[];
  unknown?: string[];
  notes?: string[];
}

/** Joins the parts that `build` makes with one fence, and ends the system prompt with what the fence means. */
export function compose(nonce: string, build: (fence: PromptFence) => Parts): Composed {
  const fence = makeFence(nonce);
  const parts = build(fence);
  if (fence.collisions.length > 0) return { ok: false, reason: "nonce-in-content", labels: fence.collisions };
  return {
    ok: true,
    system: join([...parts.system, "---", `## Data\n\n${dataNotice(nonce)}`]),
    prompt: join(parts.prompt),
    unknown: parts.unknown ?? [],
    notes: parts.notes ?? [],
  };
}

/** Composes with nonces from the caller until one fits; chance needs one try, an echo of an old nonce two. */
export function withFreshNonce(makeNonce: () => string, build: (nonce: string) => Composed): ComposedPrompt {
  for (let attempt = 0; attempt < 5; attempt++) {
    const composed = build(makeNonce());
    if (composed.ok) return composed;
  }
  throw new Error("every nonce occurs in the content that it should fence: the source of nonces is not random");
}

/** System prompt and prompt as one text, for agents that take only one. */
export function asOneText({ system, prompt }: Pick<ComposedPrompt, "system" | "prompt">): string {
  return join([system, "---", prompt]);
}

/** A heading with what belongs under it, or nothing where there is nothing. */
export function section(heading: string, body: string | undefined): string | undefined {
  return body === undefined || body === "" ? undefined : `${heading}\n\n${body}`;
}

export function join(parts: (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== "").join("\n\n");
}
