export type ProtocolName = "anthropic" | "responses" | "chat" | "gemini";

/** What a protocol reads out of a request's body. */
export interface ModelRequest {
  model: string;
  stream: boolean;
  tools: ToolOffer[];
  /** The results that this request brings for the tool calls of the turn before. */
  toolResults: ToolResult[];
  /** How a structured answer has to be given: through this tool, as a JSON text, or nothing was asked. */
  structuredBy: { tool: string } | "text" | undefined;
  /** The schema of that answer, where it is not the schema of a tool. */
  schema?: unknown;
  lastRole: "user" | "tool";
}

export interface ToolOffer {
  name: string;
  /** `custom` takes free text, `function` takes an object. */
  kind: "function" | "custom";
  /** The namespace of the tool, where the protocol groups tools. */
  namespace?: string;
  schema?: unknown;
}

export interface ToolResult {
  id: string;
  text: string;
  isError: boolean;
}

export interface RecordedRequest extends ModelRequest {
  protocol: ProtocolName | "none";
  method: string;
  /** Without the query: it may hold a key. */
  path: string;
  /** The parsed body, or the text where it is no JSON. */
  body: unknown;
  /** Whether a key came along; its value is never kept. */
  authorized: boolean;
  /** A step of the script, the harmless answer of side requests, a list or count, or nothing that fits. */
  answeredBy: "step" | "side" | "service" | "nothing";
  /** The position of the step in the script that is playing. */
  step?: number;
  /** `aborted` when the client went away before the answer was complete. */
  outcome: "open" | "complete" | "broken" | "aborted";
}

export function emptyRequest(): ModelRequest {
  return { model: "", stream: false, tools: [], toolResults: [], structuredBy: undefined, lastRole: "user" };
}
