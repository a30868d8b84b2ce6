import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { Tabs } from "radix-ui";
import type { ComponentType } from "react";
import { useOffer } from "../../../shortcuts/use-offer.ts";
import { later } from "../../ui/later.tsx";
import { Failed, Loading } from "../../ui/state.tsx";
import type { Scope } from "./model/setting.ts";
import { BadFile } from "./parts/bad-file.tsx";
import { SaveBar } from "./parts/save-bar.tsx";
import { ScopeSwitch } from "./parts/scope-switch.tsx";
import { type TabProps, useSettings } from "./parts/use-settings.ts";
import { PromptCustomizationSection } from "./prompts/prompt-customization-section.tsx";
import { GeneralTab } from "./tabs/general-tab.tsx";
import { LoopTab } from "./tabs/loop-tab.tsx";
import { NotificationsTab } from "./tabs/notifications-tab.tsx";

const AgentsTab = later("the agents", async () => (await import("./agents/agents-tab.tsx")).default);
const PoliciesTab = later("the policies", async () => (await import("./policies/policies-tab.tsx")).default);
const ShortcutsTab = later<TabProps>("the keys", async () => (await import("./shortcuts/shortcuts-tab.tsx")).default);

/** Tabs that are about this browser or this machine have no scope. */
const TABS: readonly { id: string; title: string; isScoped: boolean; Tab: ComponentType<TabProps> }[] = [
  { id: "general", title: "General", isScoped: true, Tab: GeneralTab },
  { id: "loop", title: "Loop", isScoped: true, Tab: LoopTab },
  { id: "prompts", title: "Prompts", isScoped: true, Tab: PromptCustomizationSection },
  { id: "policies", title: "Policies", isScoped: true, Tab: PoliciesTab },
  { id: "agents", title: "Agents", isScoped: false, Tab: AgentsTab },
  { id: "notifications", title: "Notifications", isScoped: true, Tab: NotificationsTab },
  { id: "shortcuts", title: "Shortcuts", isScoped: false, Tab: ShortcutsTab },
];

export function SettingsView() {
  const { project, tab } = useParams({ from: "/p/$project/settings/$tab" });
  const search = useSearch({ from: "/p/$project/settings/$tab" });
  const scope: Scope = search.scope ?? "project";
  const navigate = useNavigate();
  const shownTab = TABS.find(({ id }) => id === tab) ?? TABS[0];
  const { settings, error, retry } = useSettings({ scope, project });
  const open = (id: string, next = scope) =>
    void navigate({
      to: "/p/$project/settings/$tab",
      params: { project, tab: id },
      search: next === "global" ? { scope: next } : {},
      replace: true,
    });
  useOffer([
    ...TABS.map(({ id, title }) => ({
      id: `settings-${id}`,
      title: `Settings: ${title}`,
      group: "Settings",
      run: () => open(id),
    })),
    {
      id: "settings-scope",
      title: scope === "global" ? "Show the project settings" : "Show the global settings",
      group: "Settings",
      key: "g",
      run: () => open(tab, scope === "global" ? "project" : "global"),
    },
  ]);

  return (
    <Tabs.Root value={shownTab?.id ?? "general"} onValueChange={(id) => open(id)} className="flex h-full flex-col">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line bg-panel px-6 pt-2">
        <h1 className="text-base font-semibold">Settings</h1>
        {shownTab?.isScoped ? <ScopeSwitch scope={scope} onChange={(next) => open(tab, next)} /> : null}
        <Tabs.List aria-label="Settings" className="-mb-px flex w-full gap-1 overflow-x-auto">
          {TABS.map(({ id, title }) => (
            <Tabs.Trigger
              key={id}
              value={id}
              className="border-b-2 border-transparent px-3 py-2 text-sm whitespace-nowrap text-muted -outline-offset-2 hover:text-ink data-[state=active]:border-accent data-[state=active]:font-medium data-[state=active]:text-ink"
            >
              {title}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
      </div>
      <div className="relative min-h-0 flex-1 overflow-auto">
        {TABS.map(({ id, isScoped, Tab }) => (
          <Tabs.Content key={id} value={id} className="flex min-h-full flex-col -outline-offset-2">
            {settings === null ? (
              error === null ? (
                <Loading what="the settings" />
              ) : (
                <Failed what="the settings" error={error} onRetry={retry} />
              )
            ) : (
              <>
                <div className={`mx-auto w-full flex-1 px-6 py-5 ${id === "policies" ? "max-w-7xl" : "max-w-4xl"}`}>
                  {isScoped && settings.file.problem !== null ? (
                    <BadFile key={settings.file.version} settings={settings} />
                  ) : null}
                  <Tab settings={settings} />
                </div>
                <SaveBar settings={settings} />
              </>
            )}
          </Tabs.Content>
        ))}
      </div>
    </Tabs.Root>
  );
}
