import { z } from "zod";

/** What a run of tests said about them, as far as its output could be read. */
export interface TestTotals {
  /** Those that passed or failed. */
  ran: number;
  /** Those that were there and were not run, or were run without counting: skipped, todo, expected to fail, deselected. */
  skipped: number;
  /** Names, from runners that list all of their tests. A name comes as often as it ran. */
  passed: readonly string[];
  failed: readonly string[];
}

/** What has to be seen to run and pass before a fix for red checks counts. */
export const RedTests = z.object({
  ran: z.int().nonnegative(),
  skipped: z.int().nonnegative(),
  /** The tests that failed, with how many of that name ran. */
  named: z.array(z.object({ name: z.string(), times: z.int().positive() })),
});
export type RedTests = z.infer<typeof RedTests>;
