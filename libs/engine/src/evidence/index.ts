export { cleanedDeep } from "@anneal/adapters/credentials";
export { Discretion, secretsOf } from "../log/discretion.ts";
export { certified } from "./certified.ts";
export { commitAt, diffFiles, fileMatrix } from "./diffs.ts";
export { discreetParts } from "./discreet-parts.ts";
export { loopView } from "./loop-view.ts";
export { type PromptOf, promptHash } from "./prompts.ts";
export { type OpenRecord, openPrompt, openTranscript, transcriptsOf } from "./transcripts.ts";
