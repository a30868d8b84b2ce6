import type { JsonObject } from "../json.ts";
import type { ModelRequest, ProtocolName } from "../request.ts";
import type { Usage } from "../script.ts";

/** One wire protocol: reads requests, and writes the same reply as a stream or as one document. */
export interface Protocol {
  name: ProtocolName;
  read(body: JsonObject, path: string): ModelRequest;
  frames(reply: Reply): Frame[];
  plain(reply: Reply): unknown;
  error(status: number, message: string, retryAfter?: number): unknown;
}

/** An answer with everything decided but its form on the wire. */
export interface Reply {
  id: string;
  model: string;
  /** The text in the pieces in which a stream sends it; none when there is no text. */
  chunks: readonly string[];
  calls: readonly Call[];
  stop: "end" | "tools" | "length" | "refusal";
  usage: Required<Usage>;
}

export type Call = { id: string; name: string; namespace?: string } & (
  | { kind: "function"; input: JsonObject }
  | { kind: "custom"; input: string }
);

/** One server-sent event. `isDelta` marks the pieces between which a slow stream waits. */
export interface Frame {
  event?: string;
  data: unknown;
  isDelta?: boolean;
}

export const totalInput = (usage: Required<Usage>): number => usage.input + usage.cacheRead + usage.cacheWrite;

/** Free text for a tool that takes an object, the other way round for one that takes text. */
export function inputObject(call: Call): JsonObject {
  return call.kind === "function" ? call.input : { input: call.input };
}
