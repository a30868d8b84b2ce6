import type { Schema } from "../json-file.ts";

/** Accepts every JSON object as it is. */
export const anyObject: Schema<Record<string, unknown>> = {
  safeParse: (value) => ({ success: true, data: value as Record<string, unknown> }),
};
