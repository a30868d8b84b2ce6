import { useEffect } from "react";
import { toast } from "sonner";
import { useAppStore } from "../store/app-store.ts";
import { allActions, type ShortcutAction, useActions } from "./actions.ts";
import { keyNameOf } from "./keys.ts";

/** The key that does an action: the person's own choice, else the usual one. */
export function keyOf(action: ShortcutAction, own: Readonly<Record<string, string>>): string | undefined {
  return own[action.id] ?? action.key;
}

/** A box that is ticked takes no letters. */
const TYPED_INTO = "input:not([type=checkbox]), textarea, select, [contenteditable=true], [role=dialog], [role=menu]";
const PRESSED = "button, a, summary, input, [role=tab], [role=switch]";

/** Runs the action of a key. Where somebody types, only keys with a modifier count; a dialog keeps its own keys. */
export function useShortcuts(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      const name = keyNameOf(event);
      const target = event.target instanceof HTMLElement ? event.target : null;
      const modified = name.startsWith("mod+");
      if (!modified && target?.closest(TYPED_INTO)) return;
      // Enter and space belong to the control that has the focus.
      if ((name === "enter" || name === "space") && target?.closest(PRESSED)) return;
      const own = useAppStore.getState().keys;
      const action = allActions(useActions.getState().byOwner).findLast((one) => keyOf(one, own) === name);
      if (action === undefined) return;
      event.preventDefault();
      if (action.blocked === undefined) action.run();
      else toast.info(`${action.title}: ${action.blocked}`);
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}
