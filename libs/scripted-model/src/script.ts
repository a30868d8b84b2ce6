/** A step answers one model request, in whichever protocol the request came. */
export type ScriptStep = ScriptAction & {
  /** Token counts to report; what is left out is a small constant. */
  usage?: TokenCounts;
  /** Only a request that fits gets this step; a request that does not fit goes on to the next step. */
  when?: Guard;
};

export type ScriptAction =
  | { text: string; stop?: "length" | "refusal" }
  | { tools: readonly ToolCall[]; text?: string }
  | { structured: unknown; text?: string }
  | { status: number; retryAfter?: number; message?: string }
  | { garbage: true }
  | { hang: true | "mid-stream" }
  | { drip: { text: string; everyMs: number } }
  | { cut: true; text?: string };

export interface ToolCall {
  name: string;
  /** A string is the input of a free-form tool, such as the patch of Codex's `apply_patch`. */
  input: Record<string, unknown> | string;
}

/** All given conditions must hold. */
export interface Guard {
  /** A text somewhere in the instructions or messages of the request; tool descriptions are not searched. */
  contains?: string;
  /** A part of the model's name. */
  model?: string;
  /** Who spoke last: `user` for a prompt, `tool` for results of tools. */
  role?: "user" | "tool";
  /** A tool that the request offers. */
  offers?: string;
}

/** `input` leaves out what was read from or written to the cache; each protocol adds them up in its own way. */
export interface TokenCounts {
  input?: number;
  output?: number;
  cacheRead?: number;
  cacheWrite?: number;
  reasoning?: number;
}
