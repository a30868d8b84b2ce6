import { part as one } from "./corpus-issue-lines-one.ts";
import { part as two } from "./corpus-issue-lines-two.ts";
import type { Hostile } from "./hostile.ts";

export * from "./answers-issue-lines.ts";

/** Hostile and broken answers of this contract, in parts that a reader can take in. */
export const corpus: Hostile[] = [...one, ...two];
