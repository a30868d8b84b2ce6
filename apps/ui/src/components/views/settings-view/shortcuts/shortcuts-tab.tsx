import { useState } from "react";
import { useActions } from "../../../../shortcuts/actions.ts";
import { useAppStore } from "../../../../store/app-store.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { INPUT } from "../../../ui/field.tsx";
import { Section } from "../parts/section.tsx";
import { CATALOGUE, type Listed } from "./catalogue.ts";
import { ShortcutRow } from "./shortcut-row.tsx";

/** Every action with its key. The choice is this browser's. */
export default function ShortcutsTab() {
  const byOwner = useActions((actions) => actions.byOwner);
  const own = useAppStore((store) => store.keys);
  const setKey = useAppStore((store) => store.setKey);
  const [text, setText] = useState("");
  const [isAsking, setAsking] = useState(false);
  const all = listed([...byOwner.values()].flat());
  const wanted = text.trim().toLowerCase();
  const shown = all.filter(({ title, group }) => `${group} ${title}`.toLowerCase().includes(wanted));
  const changed = Object.keys(own);
  const resetAll = () => {
    for (const id of changed) setKey(id, null);
    setAsking(false);
  };
  return (
    <>
      <div className="mb-2 flex flex-wrap items-center justify-between gap-3">
        <input
          type="search"
          aria-label="Find an action"
          placeholder="Find an action"
          className={`${INPUT} w-64`}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <Button disabled={changed.length === 0} onClick={() => setAsking(true)}>
          Reset all keys…
        </Button>
      </div>
      <p className="mb-4 text-sm text-muted">
        Saved in this browser. A key can do different things on different screens.
      </p>
      {[...Map.groupBy(shown, ({ group }) => group)].map(([group, actions]) => (
        <Section key={group} title={group}>
          {actions.map((action) => (
            <ShortcutRow key={action.id} action={action} all={all} />
          ))}
        </Section>
      ))}
      {shown.length === 0 ? <p className="text-sm text-muted">No match.</p> : null}
      <Dialog
        title="Reset all keys?"
        description={`${changed.length === 1 ? "1 key that you chose is" : `${changed.length} keys that you chose are`} reset to the defaults.`}
        open={isAsking}
        onClose={() => setAsking(false)}
      >
        <div className="flex justify-end gap-2">
          <Button onClick={() => setAsking(false)}>Keep mine</Button>
          <Button look="danger" onClick={resetAll}>
            Reset all
          </Button>
        </div>
      </Dialog>
    </>
  );
}

/** What is known of old, and what the open screens offer besides. */
function listed(offered: readonly Listed[]): Listed[] {
  const known = new Set(CATALOGUE.map(({ id }) => id));
  const others = new Map(offered.filter(({ id }) => !known.has(id)).map((one) => [one.id, one]));
  return [...CATALOGUE, ...others.values()];
}
