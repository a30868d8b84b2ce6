import { part as one } from "./corpus-verdict-json-one.ts";
import { part as two } from "./corpus-verdict-json-two.ts";
import type { Hostile } from "./hostile.ts";

export * from "./answers-verdict-json.ts";

/** Hostile and broken answers of this contract, in parts that a reader can take in. */
export const corpus: Hostile[] = [...one, ...two];
