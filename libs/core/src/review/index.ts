export { totalUsage } from "../agents/believable.ts";
export { MATCHER } from "../identity/index.ts";
export { utf8Length } from "../text/utf8-length.ts";
export { type AnswerSchema, answerSchema } from "./answer-schema.ts";
export { readRulings, rulingsSchema } from "./asked-rulings.ts";
export { type NamedPair, namedPairs, readSame, sameSchema } from "./asked-same.ts";
export { type FoundBy, mergeFindings } from "./merge-findings.ts";
export { mergeParts, named, type ReviewedPart } from "./merge-parts.ts";
export { mergeReviewers, type ReviewedBy } from "./merge-reviewers.ts";
export { contextTokens, estimatedTokens, MODEL_BUDGETS, promptBytes } from "./model-budgets.ts";
export { letsPass } from "./must-fix.ts";
export { type PartsPlan, type Patches, type PatchPiece, PIECE_OVERHEAD_BYTES, planParts } from "./parts.ts";
export { type FilePatch, filesOf } from "./patch-files.ts";
export { readSecondLook, secondLookSchema } from "./second-look.ts";
export {
  isVerifiable,
  readVerification,
  type VerificationRuling,
  verificationSchema,
  withVerification,
} from "./verification.ts";
