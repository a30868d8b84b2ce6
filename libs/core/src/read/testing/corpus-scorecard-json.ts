import { part as one } from "./corpus-scorecard-json-one.ts";
import { part as two } from "./corpus-scorecard-json-two.ts";
import type { Hostile } from "./hostile.ts";

export * from "./answers-scorecard-json.ts";

/** Hostile and broken answers of this contract, in parts that a reader can take in. */
export const corpus: Hostile[] = [...one, ...two];
