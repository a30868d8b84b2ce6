import { part as one } from "./corpus-findings-document-one.ts";
import { part as two } from "./corpus-findings-document-two.ts";
import type { Hostile } from "./hostile.ts";

export * from "./answers-findings-document.ts";

/** Hostile and broken answers of this contract, in parts that a reader can take in. */
export const corpus: Hostile[] = [...one, ...two];
