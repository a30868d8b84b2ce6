import { sessionOf } from "@anneal/core/pull-request";
import type { EventMap, EventName, ReviewLoopSession } from "@anneal/types";
import { openStore, StoreError } from "../embedded/index.ts";
import { currentLoop, historyOf } from "../project/loop-history.ts";
import type { ProjectStore } from "../project/store-log.ts";
import { goOn, type ServiceProject, tell } from "./service-project.ts";

export type ReviewLoopEventName = Extract<EventName, `review-loop:${string}`>;
type Handler<N extends ReviewLoopEventName> = (payload: EventMap[N]) => void;

/** Seed 001's orchestrator: starts a feature's loop, passes on a person's overrides, and tells what happens. */
export class ReviewLoopOrchestrator {
  readonly #project: ServiceProject;
  readonly #handlers = new Map<string, Set<(payload: never) => void>>();

  constructor(project: ServiceProject) {
    this.#project = {
      ...project,
      onEvent: (event) => {
        for (const handler of this.#handlers.get(event.type) ?? []) handler(event.payload as never);
        project.onEvent?.(event);
      },
    };
  }

  /** Runs the loop until it has ended, or waits for a person or the forge. One that was interrupted goes on. */
  async startLoop(featureId: string): Promise<void> {
    await goOn(this.#project, featureId);
  }

  /** As the log has it, whoever runs the loop; null before there is anything to review. */
  getSession(featureId: string): ReviewLoopSession | null {
    return sessionIn(this.#project, featureId);
  }

  async triggerRefinement(featureId: string): Promise<void> {
    await tell(this.#project, featureId, ["refine"]);
    await goOn(this.#project, featureId);
  }

  /** The pull request is a draft, NOT REVIEWED, until a person moves it on. */
  async skipToPR(featureId: string): Promise<void> {
    await tell(this.#project, featureId, ["skip"]);
    await goOn(this.#project, featureId);
  }

  async markReadyForHuman(featureId: string): Promise<void> {
    await tell(this.#project, featureId, ["ready"]);
  }

  on<N extends ReviewLoopEventName>(name: N, handler: Handler<N>): void {
    const handlers = this.#handlers.get(name) ?? new Set();
    this.#handlers.set(name, handlers.add(handler));
  }
}

/** The session of a feature's loop, from the log. */
export function sessionIn(project: ServiceProject, featureId: string): ReviewLoopSession | null {
  const store = storeOf(project);
  if (store === null) return null;
  try {
    const row = currentLoop(store, featureId);
    if (row === null) return null;
    const { policy, state } = historyOf(store, row);
    return policy.push === "with-pr" ? sessionOf(featureId, state) : null;
  } finally {
    store.close();
  }
}

function storeOf({ clock, ...repo }: ServiceProject): ProjectStore | null {
  try {
    return openStore(repo, { clock, readOnly: true });
  } catch (error) {
    if (error instanceof StoreError && error.kind === "missing") return null;
    throw error;
  }
}
