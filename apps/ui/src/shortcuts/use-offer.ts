import { useEffect, useId, useRef } from "react";
import { useWhyNot } from "../api/connection.ts";
import { type ShortcutAction, useActions } from "./actions.ts";

/** Offers actions for as long as the component is on the screen. Each run sees the newest values of the component. */
export function useOffer(actions: readonly ShortcutAction[]): void {
  const owner = useId();
  const newest = useRef(actions);
  newest.current = actions;
  const { offer, withdraw } = useActions.getState();
  // Actions are made anew at every drawing; they are offered anew only where a person would see a difference.
  const away = useWhyNot(true);
  const shown = JSON.stringify(
    actions.map(({ run: _, acts, ...seen }) => ({ ...seen, blocked: (acts ? away : undefined) ?? seen.blocked })),
  );
  useEffect(() => {
    const seen: Omit<ShortcutAction, "run">[] = JSON.parse(shown);
    const run = (id: string) => newest.current.find((action) => action.id === id)?.run();
    offer(
      owner,
      seen.map((action) => ({ ...action, run: () => run(action.id) })),
    );
  }, [owner, shown, offer]);
  useEffect(() => () => withdraw(owner), [owner, withdraw]);
}
