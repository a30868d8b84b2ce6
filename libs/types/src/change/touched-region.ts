import { z } from "zod";

/** Line ranges that a commit touched, on the new side. */
export const TouchedRegion = z.object({
  file: z.string(),
  ranges: z.array(z.tuple([z.int(), z.int()])),
});
