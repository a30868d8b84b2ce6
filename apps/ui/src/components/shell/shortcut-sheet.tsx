import { useState } from "react";
import { allActions, useActions } from "../../shortcuts/actions.ts";
import { shownKey } from "../../shortcuts/keys.ts";
import { keyOf } from "../../shortcuts/listen.ts";
import { useAppStore } from "../../store/app-store.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Kbd } from "../ui/kbd.tsx";
import { IS_MAC } from "./platform.ts";

/** The keys that work on the screens that are open. */
export default function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const [actions] = useState(() => allActions(useActions.getState().byOwner));
  const own = useAppStore(({ keys }) => keys);
  const keyed = actions.flatMap((action) => {
    const key = keyOf(action, own);
    return key === undefined ? [] : [{ ...action, key }];
  });
  return (
    <Dialog title="Keyboard" description="Change any of them in Settings, Shortcuts." open onClose={onClose} wide>
      <div className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
        {[...Map.groupBy(keyed, ({ group }) => group)].map(([group, members]) => (
          <section key={group}>
            <h3 className="mb-1 text-xs font-medium text-muted">{group}</h3>
            <dl className="flex flex-col gap-1">
              {members.map(({ id, title, key }) => (
                <div key={id} className="flex items-center justify-between gap-3 text-sm">
                  <dt>{title}</dt>
                  <dd>
                    <Kbd keys={shownKey(key, IS_MAC)} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
