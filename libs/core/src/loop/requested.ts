import type { Finding, LoopState } from "@anneal/types";
import { sourceOf } from "./request-source.ts";

/** What people and checks on the pull request asked for that a fixer has worked on, or works on now. */
export function requestedIn(state: LoopState): Finding[] {
  const { requested = [] } = state;
  const known = new Set(requested.map(({ rule }) => rule));
  const given = state.stage === "fixing" ? state.problems : [];
  return [...requested, ...given.filter((finding) => isRequest(finding) && !known.has(finding.rule))];
}

/** What a fixer that was just done leaves for the next review to settle. */
export function workedOn(state: LoopState): Pick<LoopState, "requested"> {
  const requested = requestedIn(state);
  return requested.length === 0 ? {} : { requested };
}

/** What has passed its review, or has had its answer, is not asked for any more. */
export function settled<S extends LoopState>({ requested: _, ...state }: S): S {
  return state as S;
}

/** Said on the pull request; its rule tells where, and is its name. */
function isRequest({ rule }: Finding): boolean {
  return rule === "failing-check" || sourceOf(rule) !== null;
}
