export { cleanedDeep } from "@anneal/adapters/credentials";
export { SecretMask, secretsOf } from "../log/secret-mask.ts";
export { certified } from "./certified.ts";
export { commitAt, diffFiles, fileMatrix } from "./diffs.ts";
export { loopView } from "./loop-view.ts";
export { maskedParts } from "./masked-parts.ts";
export { type PromptOf, promptHash } from "./prompts.ts";
export { type OpenRecord, openPrompt, openTranscript, transcriptsOf } from "./transcripts.ts";
