export { cleanedDeep, secretsIn, withoutCredentials } from "@anneal/adapters/credentials";
export { commitAt, diffFiles, fileMatrix } from "./diffs.ts";
export { discreetParts } from "./discreet-parts.ts";
export { loopView } from "./loop-view.ts";
export { type PromptOf, promptHash } from "./prompts.ts";
export { type OpenTranscript, openTranscript, transcriptsOf } from "./transcripts.ts";
