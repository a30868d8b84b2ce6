import { useEffect, useId, useRef } from "react";
import { type Action, useActions } from "./actions.ts";

/** Offers actions for as long as the component is on the screen. Each run sees the newest values of the component. */
export function useOffer(actions: readonly Action[]): void {
  const owner = useId();
  const newest = useRef(actions);
  newest.current = actions;
  const { offer, withdraw } = useActions.getState();
  const shape = JSON.stringify(actions.map(({ id, title, group, key, blocked }) => [id, title, group, key, blocked]));
  // biome-ignore lint/correctness/useExhaustiveDependencies: what a person sees of the actions is their shape.
  useEffect(() => {
    const lasting = newest.current.map((action) => ({
      ...action,
      run: () => newest.current.find(({ id }) => id === action.id)?.run(),
    }));
    offer(owner, lasting);
  }, [owner, shape]);
  useEffect(() => () => withdraw(owner), [owner, withdraw]);
}
