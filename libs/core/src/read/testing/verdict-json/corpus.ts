import type { Hostile } from "../hostile.ts";
import { part as one } from "./corpus-one.ts";
import { part as two } from "./corpus-two.ts";

export * from "./answers.ts";

/** Hostile and broken answers of this contract, in parts that a reader can take in. */
export const corpus: Hostile[] = [...one, ...two];
