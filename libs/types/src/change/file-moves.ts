import { z } from "zod";

/**
 * How the lines of a file moved between two heads. Each edit is `[oldStart, oldLines, newStart, newLines]`: what stood from
 * `oldStart` on was replaced by what stands from `newStart` on; where one of them is empty, its start is the line behind it.
 */
export const FileMoves = z.object({
  /** Its path on the new side. */
  file: z.string(),
  edits: z.array(z.tuple([z.int(), z.int(), z.int(), z.int()])),
});
export type FileMoves = z.infer<typeof FileMoves>;
