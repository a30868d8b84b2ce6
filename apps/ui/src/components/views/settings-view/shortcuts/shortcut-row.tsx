import { type KeyboardEvent, useState } from "react";
import { keyNameOf, shownKey } from "../../../../shortcuts/keys.ts";
import { useAppStore } from "../../../../store/app-store.ts";
import { IS_MAC } from "../../../shell/platform.ts";
import { Button } from "../../../ui/button.tsx";
import { Kbd } from "../../../ui/kbd.tsx";
import { conflicts, type Listed } from "./catalogue.ts";

const MODIFIERS = new Set(["shift", "control", "alt", "meta", "altgraph", "capslock", "dead"]);

/** One action; its key is changed by pressing another. */
export function ShortcutRow({ action, all }: { action: Listed; all: readonly Listed[] }) {
  const own = useAppStore((store) => store.keys);
  const setKey = useAppStore((store) => store.setKey);
  const [isListening, setListening] = useState(false);
  const [pressed, setPressed] = useState<string | null>(null);
  const key = own[action.id] ?? action.key;
  const wanted = pressed ?? key;
  const others = wanted === undefined ? [] : conflicts(action, wanted, all, own);
  const take = (next: string) => {
    setKey(action.id, next === action.key ? null : next);
    setPressed(null);
    setListening(false);
  };
  const listen = (event: KeyboardEvent) => {
    if (!isListening || MODIFIERS.has(event.key.toLowerCase())) return;
    const name = keyNameOf(event);
    // Tab leaves, so that nobody is caught in here.
    if (name === "tab" || name === "shift+tab") return setListening(false);
    event.preventDefault();
    event.stopPropagation();
    if (name === "escape") return setListening(false);
    if (conflicts(action, name, all, own).length === 0) return take(name);
    setPressed(name);
    setListening(false);
  };
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-1.5 text-sm last:border-0">
      <span className="mr-auto">{action.title}</span>
      {own[action.id] === undefined ? null : (
        <button
          type="button"
          className="text-xs text-accent underline-offset-2 hover:underline"
          onClick={() => setKey(action.id, null)}
          title={action.key === undefined ? "Remove the key" : `Back to ${shownKey(action.key, IS_MAC)}`}
        >
          Reset<span className="sr-only"> the key of {action.title}</span>
        </button>
      )}
      {wanted === undefined ? (
        <span className="text-xs text-muted">no key</span>
      ) : (
        <Kbd keys={shownKey(wanted, IS_MAC)} />
      )}
      <Button
        className={`w-32 ${isListening ? "border-accent bg-accent-soft" : ""}`}
        aria-label={isListening ? "Press the new key, Escape keeps the old one" : `Change the key of ${action.title}`}
        onClick={() => setListening(true)}
        onKeyDown={listen}
        onBlur={() => setListening(false)}
      >
        {isListening ? "Press a key…" : "Change"}
      </Button>
      {others.length === 0 ? null : (
        <div
          role="alert"
          className="flex w-full flex-wrap items-center gap-2 rounded bg-warn-soft px-2 py-1 text-xs text-warn"
        >
          <span>
            {shownKey(wanted ?? "", IS_MAC)} also does “{others.map(({ title }) => title).join("”, “")}” on the same
            screen; only one of them would work.
          </span>
          {pressed === null ? null : (
            <>
              <button type="button" className="font-medium underline" onClick={() => take(pressed)}>
                Use it anyway
              </button>
              <button type="button" className="font-medium underline" onClick={() => setPressed(null)}>
                Keep the old key
              </button>
            </>
          )}
        </div>
      )}
    </div>
  );
}
