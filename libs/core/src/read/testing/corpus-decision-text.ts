import { part as one } from "./corpus-decision-text-one.ts";
import { part as three } from "./corpus-decision-text-three.ts";
import { part as two } from "./corpus-decision-text-two.ts";
import type { Hostile } from "./hostile.ts";

export * from "./answers-decision-text.ts";

/** Hostile and broken answers of this contract, in parts that a reader can take in. */
export const corpus: Hostile[] = [...one, ...two, ...three];
