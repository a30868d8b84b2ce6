export type { RecordedRequest, ToolOffer, ToolResult } from "./request.ts";
export type { Guard, Step, ToolCall, Usage } from "./script.ts";
export { type ScriptedModel, type ScriptedModelOptions, startScriptedModel } from "./server.ts";
export { isSideModel, isToolless, usualSide } from "./side.ts";
