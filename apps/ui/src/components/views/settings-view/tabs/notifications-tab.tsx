import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { itemsQuery } from "../../../../api/queries.ts";
import { useAppStore } from "../../../../store/app-store.ts";
import { Field, INPUT } from "../../../ui/field.tsx";
import { OTHER_CHANNELS, SLACK, WHEN } from "../model/notification-settings.ts";
import { Section, SettingSection } from "../parts/section.tsx";
import { OnOff } from "../parts/setting-control.tsx";
import type { TabProps } from "../parts/use-settings.ts";
import { Channels } from "./channels.tsx";

export function NotificationsTab({ settings }: TabProps) {
  return (
    <>
      <Section title="This browser">
        <div className="py-3">
          <DesktopNotices />
        </div>
      </Section>
      <MutedItems project={settings.place.project} />
      <Channels project={settings.place.project} />
      <SettingSection title="When" settings={settings} rows={WHEN} />
      <SettingSection title="Slack" settings={settings} rows={SLACK} />
      <SettingSection title="Other channels" settings={settings} rows={OTHER_CHANNELS} />
    </>
  );
}

function DesktopNotices() {
  const isOn = useAppStore((store) => store.desktopNotices);
  const set = useAppStore((store) => store.setDesktopNotices);
  const [permission, setPermission] = useState(() => ("Notification" in window ? Notification.permission : "denied"));
  const change = async (on: boolean) => {
    if (!on) return set(false);
    const answer = permission === "granted" ? permission : await Notification.requestPermission();
    setPermission(answer);
    set(answer === "granted");
  };
  return (
    <Field
      label="Desktop notices"
      help="When an item needs you or ends while this page is in the background. Never for single findings."
      problem={
        permission === "denied"
          ? "This browser blocks notifications from this page. Allow them in the browser's settings, then switch them on here."
          : undefined
      }
    >
      {(labels) => (
        <OnOff
          labels={labels}
          isOn={isOn && permission === "granted"}
          disabled={permission === "denied"}
          onChange={(on) => void change(on)}
        />
      )}
    </Field>
  );
}

const MOST_SHOWN = 20;

/** Items that should keep quiet: those that are muted, and those that a search finds. */
function MutedItems({ project }: { project: string }) {
  const { data: items = [], isPending } = useQuery(itemsQuery(project));
  const muted = useAppStore((store) => store.muted);
  const setMuted = useAppStore((store) => store.setMuted);
  const [text, setText] = useState("");
  const keyOf = (id: string) => `${project}/${id}`;
  const wanted = text.trim().toLowerCase();
  const shown = items.filter(({ id, title }) =>
    wanted === "" ? muted.includes(keyOf(id)) : `${id} ${title}`.toLowerCase().includes(wanted),
  );
  return (
    <Section title="Muted items" about="No notifications about them in this browser; the board still shows them.">
      <div className="flex flex-col gap-2 py-3">
        <input
          type="search"
          aria-label="Find an item to mute"
          placeholder="Find an item to mute"
          className={`${INPUT} w-80`}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        {shown.length === 0 ? (
          <p className="text-sm text-muted">
            {isPending ? "Loading the items…" : wanted === "" ? "Nothing is muted." : "No match."}
          </p>
        ) : null}
        <ul className="flex flex-col gap-1">
          {shown.slice(0, MOST_SHOWN).map(({ id, title }) => (
            <li key={id}>
              <label className="flex items-center gap-2 text-sm">
                <input
                  type="checkbox"
                  className="size-4 accent-accent"
                  checked={muted.includes(keyOf(id))}
                  onChange={({ target }) => setMuted(keyOf(id), target.checked)}
                />
                <span className="truncate">{title}</span>
                <span className="font-mono text-xs text-muted">{id}</span>
              </label>
            </li>
          ))}
        </ul>
        {shown.length > MOST_SHOWN ? <p className="text-xs text-muted">and {shown.length - MOST_SHOWN} more</p> : null}
      </div>
    </Section>
  );
}
