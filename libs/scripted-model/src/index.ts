export type { RecordedRequest, ToolOffer, ToolResult } from "./request.ts";
export type { Guard, ScriptStep, TokenCounts, ToolCall } from "./script.ts";
export { type ScriptedModel, type ScriptedModelOptions, startScriptedModel } from "./server.ts";
export { isSideModel, isToolless, usualSide } from "./side.ts";
