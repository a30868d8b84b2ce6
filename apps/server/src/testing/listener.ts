import { listen, type SeenFrame, type World } from "./server-world.ts";

const SEEDS = /^(?:feature:code-review-|review-loop:|codereview\.)/;

export interface Heard extends Disposable {
  frames: SeenFrame[];
  /** Waits for what fits, and gives everything about the item that had come by then in the seeds' words. */
  inSeeds(item: string, isLast: (frame: SeenFrame) => boolean): Promise<[type: string, payload: unknown][]>;
  until(test: (frames: SeenFrame[]) => boolean): Promise<void>;
}

/** Somebody at a socket who hears a project live, from its first event on, with what its agents say. */
export async function hearing(world: World, project: string): Promise<Heard> {
  const { frames, until, close } = await listen(world, { project, since: "0", activity: "true" });
  const about = (item: string) => frames.filter((frame) => frame.item === item);
  return {
    frames,
    until,
    async inSeeds(item, isLast) {
      await until(() => about(item).some(isLast));
      return about(item)
        .filter(({ type }) => SEEDS.test(type))
        .map(({ type, payload }) => [type, payload]);
    },
    [Symbol.dispose]: close,
  };
}
