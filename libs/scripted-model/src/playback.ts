import { textOf } from "./json.ts";
import type { ModelRequest } from "./request.ts";
import type { Guard, ScriptStep } from "./script.ts";

export type PlaybackChoice = { by: "step"; step: ScriptStep; index: number } | { by: "side" } | { by: "nothing" };

/** Hands out the steps of a script, in order, each once. */
export class Playback {
  readonly #left: { step: ScriptStep; index: number }[];
  readonly #repeatLast: boolean;
  readonly #length: number;

  constructor(steps: readonly ScriptStep[], repeatLast: boolean) {
    this.#left = steps.map((step, index) => ({ step, index }));
    this.#length = steps.length;
    this.#repeatLast = repeatLast;
  }

  get stepsLeft(): number {
    return this.#left.length;
  }

  /** A side request never takes a step without a guard: that is how titles and quota checks leave a script alone. */
  next(request: ModelRequest, body: unknown, isSide: boolean): PlaybackChoice {
    const at = this.#left.findIndex(({ step }) => (step.when === undefined ? !isSide : fits(step.when, request, body)));
    const found = this.#left[at];
    if (found === undefined) return { by: isSide ? "side" : "nothing" };
    const stays = this.#repeatLast && found.index === this.#length - 1;
    if (!stays) this.#left.splice(at, 1);
    return { by: "step", ...found };
  }
}

function fits(guard: Guard, request: ModelRequest, body: unknown): boolean {
  return (
    (guard.role === undefined || guard.role === request.lastRole) &&
    (guard.model === undefined || request.model.includes(guard.model)) &&
    (guard.offers === undefined || request.tools.some((tool) => tool.name === guard.offers)) &&
    (guard.contains === undefined || textOf(body, "tools").includes(guard.contains))
  );
}
