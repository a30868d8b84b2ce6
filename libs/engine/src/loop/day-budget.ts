import type { Clock } from "@anneal/adapters";
import type { LoadedSettings } from "@anneal/adapters/files";
import { dollars, isPaid, tighter } from "@anneal/core";
import type { ActiveStage, Caps, LoopEvent, LoopState } from "@anneal/types";
import type { StageWork } from "./driver.ts";

export interface DayBudgetArgs {
  /** What all loops of the project together have used at and after a moment. */
  usedSince(ms: number): { tokens: number; costUsd: number };
  /** How long they have worked since then; only a cap on time asks for it. */
  workedSince?(ms: number): number;
  clock: Pick<Clock, "now">;
  caps: Caps;
}

/** Why the work of a stage must not start today, or null where it may. */
export type DayBudget = (stage: ActiveStage) => string | null;

/** What all loops of a project together may use per calendar day in the machine's time zone. */
export function dayBudget({ usedSince, workedSince, clock, caps }: DayBudgetArgs): DayBudget {
  const { tokens, costUsd, wallMs } = caps;
  if (wallMs !== undefined && workedSince === undefined) {
    throw new TypeError("A cap on the time per day needs workedSince, which measures it.");
  }
  if (tokens === undefined && costUsd === undefined && wallMs === undefined) return () => null;
  return (stage) => {
    if (!isPaid(stage)) return null;
    const day = startOfDay(clock.now());
    const used = usedSince(day);
    const says = (what: string) => `the daily cap for all loops (${dateOf(day)}): ${what}`;
    if (tokens !== undefined && used.tokens >= tokens) return says(`${used.tokens} of ${tokens} tokens are used`);
    if (costUsd !== undefined && used.costUsd >= costUsd) {
      return says(`${dollars(used.costUsd)} of ${dollars(costUsd)} are spent`);
    }
    const workedMs = wallMs === undefined ? 0 : (workedSince?.(day) ?? 0);
    return wallMs !== undefined && workedMs >= wallMs ? says(`${workedMs} of ${wallMs} ms are used`) : null;
  };
}

/** Work that asks the day's budget before each stage that costs money. */
export function withinDay(work: StageWork, budget: DayBudget, clock: Pick<Clock, "now">): StageWork {
  type Do<S> = (state: S, signal: AbortSignal, turn: number) => Promise<LoopEvent>;
  const asking =
    <S extends LoopState & { stage: ActiveStage }>(act: Do<S>): Do<S> =>
    async (state, signal, turn) => {
      const detail = budget(state.stage);
      if (detail === null) return await act(state, signal, turn);
      return { type: "capped", at: clock.now(), scope: "day", detail };
    };
  return {
    ...work,
    implementing: asking(work.implementing),
    reviewing: asking(work.reviewing),
    fixing: asking(work.fixing),
  };
}

/** The caps per day that the settings name. A repository does not lift what the user allows. */
export function dayCapsOf({ project, global }: Pick<LoadedSettings, "project" | "global">): Caps {
  return tighter(global.budgets?.perDay ?? {}, project.budgets?.perDay ?? {});
}

function startOfDay(ms: number): number {
  return new Date(ms).setHours(0, 0, 0, 0);
}

function dateOf(ms: number): string {
  const date = new Date(ms);
  const two = (n: number) => String(n).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
