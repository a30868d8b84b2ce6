import type { WireObject } from "../json.ts";
import type { ModelRequest, ProtocolName } from "../request.ts";
import type { TokenCounts } from "../script.ts";

/** One wire protocol: reads requests, and writes the same reply as a stream or as one document. */
export interface Protocol {
  name: ProtocolName;
  read(body: WireObject, path: string): ModelRequest;
  frames(reply: ModelReply): ServerSentEvent[];
  plain(reply: ModelReply): unknown;
  error(status: number, message: string, retryAfter?: number): unknown;
}

/** An answer with everything decided but its form on the wire. */
export interface ModelReply {
  id: string;
  model: string;
  /** The text in the pieces in which a stream sends it; none when there is no text. */
  chunks: readonly string[];
  calls: readonly Call[];
  stop: "end" | "tools" | "length" | "refusal";
  usage: Required<TokenCounts>;
}

export type Call = { id: string; name: string; namespace?: string } & (
  | { kind: "function"; input: WireObject }
  | { kind: "custom"; input: string }
);

/** One server-sent event. `isDelta` marks the pieces between which a slow stream waits. */
export interface ServerSentEvent {
  event?: string;
  data: unknown;
  isDelta?: boolean;
}

export const totalInput = (usage: Required<TokenCounts>): number => usage.input + usage.cacheRead + usage.cacheWrite;

/** Free text for a tool that takes an object, the other way round for one that takes text. */
export function inputObject(call: Call): WireObject {
  return call.kind === "function" ? call.input : { input: call.input };
}
