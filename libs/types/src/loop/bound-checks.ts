import { z } from "zod";

/** What the work of a loop is checked by, as the settings said when it was settled; null where there are no checks. */
export const BoundChecks = z.object({
  testCommand: z.union([z.string(), z.array(z.string())]).nullable(),
  testTimeoutMs: z.int().positive().optional(),
});
export type BoundChecks = z.infer<typeof BoundChecks>;
