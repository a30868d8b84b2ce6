import { POLICIES } from "@anneal/core";
import { systemClock } from "@anneal/engine";
import { openProject } from "@anneal/engine/project";
import type { LoopEvent } from "@anneal/types";

/** Writes many events of one loop into a project's log, as another process would: attempts of an implementer that never ends. */
export async function makeNoise(
  root: string,
  { item, events, bytes = 0 }: { item: string; events: number; bytes?: number },
): Promise<void> {
  using project = await openProject(root, systemClock);
  const loop = `${item}~1`;
  const first: LoopEvent = {
    type: "loop-started",
    at: 1,
    loopId: loop,
    item: { kind: "feature", id: item },
    policy: POLICIES.gate,
    because: "x".repeat(bytes),
    agents: { implementer: "scripted", reviewer: "scripted", fixer: "scripted" },
    promptsHash: "0",
    base: "0".repeat(40),
    head: null,
    needsApproval: false,
    steps: [],
  };
  // Its row says that it is over, so that nobody takes it up.
  const summary = { title: "n".repeat(bytes) } as never;
  const entries = Array.from({ length: events - 1 }, (_, n) => n + 1).map((attempt) => ({
    event: { type: "intended", at: attempt, stage: "implementing", attempt } satisfies LoopEvent,
    stage: "ended" as const,
    summary,
  }));
  const of = { kind: "feature", item };
  project.store.append(loop, [{ event: first, stage: "ended", summary }], { of });
  for (let from = 0; from < entries.length; from += AT_ONCE)
    project.store.append(loop, entries.slice(from, from + AT_ONCE));
}

const AT_ONCE = 500;
