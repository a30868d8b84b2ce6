import type { ServerResponse } from "node:http";
import { setTimeout as after } from "node:timers/promises";
import type { ModelReply, Protocol, ServerSentEvent } from "./protocols/protocol.ts";
import type { ModelRequest } from "./request.ts";

/** How an answer leaves: whole, slowly, or only its first half before the line goes silent or dead. */
export type DeliveryPace = { pace: "whole" } | { pace: "drip"; everyMs: number } | { pace: "stall" } | { pace: "cut" };

export async function deliver(
  response: ServerResponse,
  protocol: Protocol,
  request: ModelRequest,
  reply: ModelReply,
  manner: DeliveryPace,
  closed: AbortSignal,
): Promise<void> {
  const parts = request.stream ? protocol.frames(reply).map(sse) : slices(JSON.stringify(protocol.plain(reply)));
  const isHalf = manner.pace === "stall" || manner.pace === "cut";
  response.writeHead(200, { "content-type": request.stream ? "text/event-stream" : "application/json" });
  for (const { wire, isDelta } of isHalf ? parts.slice(0, Math.ceil(parts.length / 2)) : parts) {
    if (manner.pace === "drip" && isDelta) await after(manner.everyMs, undefined, { signal: closed });
    if (response.destroyed) return;
    response.write(wire);
  }
  if (manner.pace === "whole" || manner.pace === "drip") response.end();
  // The empty write's callback comes after the bytes before it have left: a client sees a half, not nothing.
  else if (manner.pace === "cut") response.write(" ", () => response.socket?.destroy());
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
) {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

/** Looks like the protocol from outside and is not readable inside. */
export function sendGarbage(response: ServerResponse, stream: boolean): void {
  response.writeHead(200, { "content-type": stream ? "text/event-stream" : "application/json" });
  response.end(stream ? 'event: �\ndata: {"type": <not json>\n\ndata: }}}\n\n' : '{"type": <not json>}}');
}

function sse({ event, data, isDelta }: ServerSentEvent) {
  const name = event === undefined ? "" : `event: ${event}\n`;
  return { wire: `${name}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`, isDelta };
}

function slices(text: string): { wire: string; isDelta: boolean }[] {
  const size = Math.ceil(text.length / 8);
  return Array.from({ length: 8 }, (_, at) => ({ wire: text.slice(at * size, (at + 1) * size), isDelta: true }));
}
