import type { Clock } from "@anneal/adapters";
import { sessionOf, toReviewResult } from "@anneal/core/pull-request";
import { currentLoop, historyOf, itemOf, loopsOf } from "@anneal/engine/project";
import type { ReviewLoopSession, ReviewResult, SignalName } from "@anneal/types";
import type { Voice } from "../auth/voice.ts";
import { itemNamed } from "../projects/item-named.ts";
import { startItem } from "../projects/item-start.ts";
import type { ServedProject } from "../projects/served-project.ts";
import { tell } from "../projects/tell.ts";

/** Seed 001's orchestrator: says a person's words to a feature's loop and answers at once, while the owner of the project works. */
export class ReviewLoopOrchestrator {
  readonly #project: ServedProject;
  readonly #clock: Clock;
  readonly #voice: Voice;

  constructor(project: ServedProject, clock: Clock, voice: Voice) {
    this.#project = project;
    this.#clock = clock;
    this.#voice = voice;
  }

  /** Asks for the loop; one that was interrupted goes on. */
  async startLoop(featureId: string): Promise<void> {
    await startItem(this.#project, await itemNamed(this.#project, featureId));
  }

  /** As the log has it, whoever runs the loop and whatever its policy; null before there is anything to review. */
  getSession(featureId: string): ReviewLoopSession | null {
    const { store } = this.#project;
    const row = currentLoop(store, featureId);
    return row === null ? null : sessionOf(featureId, historyOf(store, row).state);
  }

  /** Every review of a feature, over all its loops, oldest first. */
  getReviewHistory(featureId: string): ReviewResult[] {
    const { store } = this.#project;
    return loopsOf(store, itemOf(featureId)).flatMap((row) => {
      const { state } = historyOf(store, row);
      return state.rounds.map((round) => toReviewResult(state, round));
    });
  }

  async triggerRefinement(featureId: string, note?: string): Promise<void> {
    await this.#say("refine", featureId, note);
  }

  /** The pull request is a draft, NOT REVIEWED, until a person moves it on. */
  async skipToPR(featureId: string, note?: string): Promise<void> {
    await this.#say("skip", featureId, note);
  }

  async retryStage(featureId: string, note?: string): Promise<void> {
    await this.#say("retry", featureId, note);
  }

  async markReadyForHuman(featureId: string, note?: string): Promise<void> {
    await this.#say("ready", featureId, note);
  }

  async #say(signal: SignalName, featureId: string, note: string | undefined): Promise<void> {
    await tell(this.#project, featureId, { signal, note }, { voice: this.#voice, clock: this.#clock });
  }
}
