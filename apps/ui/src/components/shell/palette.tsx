import { Command } from "cmdk";
import { useState } from "react";
import { allActions, type ShortcutAction, useActions } from "../../shortcuts/actions.ts";
import { shownKey } from "../../shortcuts/keys.ts";
import { keyOf } from "../../shortcuts/listen.ts";
import { useAppStore } from "../../store/app-store.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Kbd } from "../ui/kbd.tsx";
import { IS_MAC } from "./platform.ts";

/** Everything that can be done on the screens that are open, and why some of it cannot be done now. */
export default function Palette({ onClose }: { onClose: () => void }) {
  // What was offered when it opened: the list does not move under the person's fingers.
  const [actions] = useState(() => allActions(useActions.getState().byOwner));
  const own = useAppStore(({ keys }) => keys);
  const groups = Map.groupBy(actions, ({ group }) => group);
  const choose = (action: ShortcutAction) => {
    onClose();
    // After the dialog has given the focus back.
    requestAnimationFrame(action.run);
  };
  return (
    <Dialog title="Commands" open onClose={onClose}>
      <Command label="Commands" className="flex min-h-0 flex-col gap-2">
        <Command.Input
          autoFocus
          placeholder="Type what you want to do"
          className="w-full rounded-md border border-line bg-page px-3 py-2 text-sm placeholder:text-muted"
        />
        <Command.List className="max-h-[50vh] overflow-auto">
          <Command.Empty className="p-4 text-center text-sm text-muted">No command matches.</Command.Empty>
          {[...groups].map(([group, members]) => (
            <Command.Group
              key={group}
              heading={group}
              className="**:[[cmdk-group-heading]]:px-2 **:[[cmdk-group-heading]]:py-1 **:[[cmdk-group-heading]]:text-xs **:[[cmdk-group-heading]]:text-muted"
            >
              {members.map((action) => (
                <Command.Item
                  key={action.id}
                  value={`${action.title} ${action.id}`}
                  disabled={action.blocked !== undefined}
                  onSelect={() => choose(action)}
                  className="flex items-center justify-between gap-3 rounded px-2 py-1.5 text-sm data-[disabled=true]:text-muted data-[selected=true]:bg-raised"
                >
                  <span>
                    {action.title}
                    {action.blocked === undefined ? null : <span className="ml-2 text-xs">{action.blocked}</span>}
                  </span>
                  <ActionKey action={action} own={own} />
                </Command.Item>
              ))}
            </Command.Group>
          ))}
        </Command.List>
      </Command>
    </Dialog>
  );
}

function ActionKey({ action, own }: { action: ShortcutAction; own: Readonly<Record<string, string>> }) {
  const key = keyOf(action, own);
  return key === undefined ? null : <Kbd keys={shownKey(key, IS_MAC)} />;
}
