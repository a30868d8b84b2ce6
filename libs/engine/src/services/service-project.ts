import type { Clock } from "@anneal/adapters";
import { featureStore } from "@anneal/adapters/features";
import type { SeedEvent } from "@anneal/core/write";
import type { Feature, LoopState, ReviewLoopConfig, SignalName } from "@anneal/types";
import type { Cast } from "../assemble.ts";
import type { GitFolder } from "../embedded/index.ts";
import { UsageError } from "../errors.ts";
import { openToTalk } from "../project/reader.ts";
import { run } from "../project/run.ts";
import { say } from "../project/talk.ts";

/** The project that the services of seed 001 work on, and who asks. */
export interface ServiceProject extends GitFolder {
  root: string;
  clock: Clock;
  by: string;
  /** Who plays, over what the settings say. */
  cast?: Partial<Cast>;
  /** What counts as blocking; the seed's defaults unless told. */
  config?: ReviewLoopConfig;
  onEvent?: (event: SeedEvent) => void;
  onTrouble?: (item: string, message: string) => void;
  /** Ends what is under way. */
  signal?: AbortSignal;
}

/** A person asked for something that is not possible now; nothing has changed. */
export class Refused extends Error {
  override readonly name = "Refused";
}

/** Runs a feature's loop until it has ended, or waits for a person or the forge. */
export async function goOn(project: ServiceProject, featureId: string): Promise<LoopState> {
  const { root, clock, by, cast = {}, onTrouble = () => {} } = project;
  const { settled, broken, blocked } = await run({
    root,
    clock,
    by,
    cast,
    only: [featureId],
    limit: 1,
    signal: project.signal ?? new AbortController().signal,
    onEvent: ({ item, seed }) => {
      if (item === featureId) for (const event of seed) project.onEvent?.(event);
    },
    onTrouble,
    onBeside: () => {},
  });
  const state = settled.get(featureId);
  if (state !== undefined) return state;
  const because = blocked.find(({ id }) => id === featureId)?.because;
  throw broken.get(featureId) ?? new UsageError(`${featureId} did not run: ${because ?? "it was stopped"}`);
}

/** Says the first of these words that is possible now to a feature's loop. */
export async function tell(
  project: ServiceProject,
  featureId: string,
  [first, ...others]: readonly [SignalName, ...SignalName[]],
  note?: string,
): Promise<void> {
  using talk = await openToTalk(project.root, featureId, project.clock);
  const { row } = talk;
  if (row === null) throw new UsageError(`${featureId} has no loop yet`);
  const signal = [first, ...others].find((one) => row.summary.legal.includes(one)) ?? first;
  const { by, clock } = project;
  const answer = await say({ ...talk, row, by, clock }, { signal, ...(note === undefined ? {} : { note }) });
  if (answer.result === "refused") throw new Refused(answer.reason);
}

export async function featureOf({ root, clock }: ServiceProject, featureId: string): Promise<Feature> {
  const stored = await featureStore(root, { clock }).get(featureId);
  if (stored !== null && "feature" in stored) return stored.feature;
  throw new UsageError(stored === null ? `there is no feature ${featureId}` : stored.damaged);
}
