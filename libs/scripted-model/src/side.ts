import type { ModelRequest } from "./request.ts";

/** What CLIs ask outside the conversation: titles, summaries, quota checks, routing. */
export function usualSide(request: ModelRequest): boolean {
  return isSideModel(request) || isToolless(request);
}

/** A request that asks for a schema is meant seriously even without tools: so do direct API clients ask. */
export function isToolless(request: ModelRequest): boolean {
  return request.tools.length === 0 && request.structuredBy === undefined;
}

export function isSideModel(request: ModelRequest): boolean {
  return /haiku|flash-lite|nano/.test(request.model);
}
