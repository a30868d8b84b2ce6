import { z } from "zod";

/** What a loop is about: a work item on disk, a plain branch, or an epic whose tickets are merged. */
export const ItemRef = z.object({
  kind: z.enum(["feature", "ticket", "story", "unit", "branch", "epic"]),
  id: z.string().min(1),
});
export type ItemRef = z.infer<typeof ItemRef>;
