import type { LoopState } from "@anneal/types";
import { errorMessage } from "@anneal/types/unknown";
import type { About, ItemKind } from "./kind.ts";

export interface Projections {
  write(state: LoopState, seq: number): void;
  done(): Promise<void>;
}

/** Projections are written one after another, the latest state last; they never fail the loop. */
export function projections(
  kind: Pick<ItemKind, "project">,
  about: About,
  { onWritten, onTrouble }: { onWritten: (seq: number) => void; onTrouble: (message: string) => void },
): Projections {
  let last: Promise<void> = Promise.resolve();
  let waiting: { state: LoopState; seq: number } | null = null;
  let written: LoopState | null = null;
  let lastTrouble: string | null = null;
  const writeNext = async () => {
    const next = waiting;
    waiting = null;
    if (next === null) return;
    const trouble = await kind
      .project(about, next.state, written)
      .then(() => onWritten(next.seq))
      .then(() => null, errorMessage);
    if (trouble === null) written = next.state;
    else if (trouble !== lastTrouble) onTrouble(trouble); // One that lasts is reported once.
    lastTrouble = trouble;
  };
  return {
    write(state, seq) {
      waiting = { state, seq };
      last = last.then(writeNext);
    },
    done: () => last,
  };
}
