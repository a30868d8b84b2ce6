import type { ShortcutAction } from "../../../../shortcuts/actions.ts";
import { SIGNAL_WORDS } from "../../review-view/decide/signals.ts";
import { FINDING_ACTIONS } from "../../review-view/findings/finding-words.ts";
import { PANE_ACTIONS } from "../../review-view/panes.ts";

export type Listed = Pick<ShortcutAction, "id" | "title" | "group" | "key">;

const of = (group: string, actions: Record<string, readonly [title: string, key?: string]>): Listed[] =>
  Object.entries(actions).map(([id, [title, key]]) => ({ id, title, group, key }));

/** What can be done on all screens, also on those that are not open: only open ones offer their actions themselves. */
export const CATALOGUE: readonly Listed[] = [
  ...of("Everywhere", {
    palette: ["Open the command palette", "mod+k"],
    keys: ["Show keyboard shortcuts", "?"],
    theme: ["Change the theme", "shift+t"],
  }),
  ...of("Go to", {
    "go-board": ["Go to the board", "shift+b"],
    "go-analytics": ["Go to analytics", "shift+a"],
    "go-settings": ["Go to settings", ","],
  }),
  ...of("Board", {
    search: ["Search the board", "/"],
    add: ["Add a feature", "n"],
    "needs-me": ["Show only items that need me", "i"],
    "card-next": ["Next card", "j"],
    "card-previous": ["Previous card", "k"],
    "column-next": ["Next column", "l"],
    "column-previous": ["Previous column", "h"],
    "card-open": ["Open the review of the card", "v"],
    "card-move": ["Move the card to…", "m"],
    "card-start": ["Start the card", "g"],
    "card-skip": ["Skip the review of the card", "s"],
    "card-retry": ["Retry the card", "r"],
  }),
  ...of("Review", {
    "finding-next": ["Next finding", "j"],
    "finding-previous": ["Previous finding", "k"],
    "finding-close": ["Close the finding", "escape"],
    "round-next": ["Next round’s change", "]"],
    "round-previous": ["Previous round’s change", "["],
    "whole-change": ["The whole change", "0"],
    "item-next": ["Next card", "shift+j"],
    "item-previous": ["Previous card", "shift+k"],
    "item-edit": ["Edit the card", "e"],
    back: ["Back to the board", "u"],
  }),
  ...PANE_ACTIONS.map(({ id, title, key }) => ({ id, title, group: "Review", key })),
  ...FINDING_ACTIONS.map(({ id, title, key }) => ({ id, title, group: "Finding", key })),
  ...of("Finding", { "finding-fix": ["Show what fixed the finding", "h"] }),
  ...of("Diff", {
    "diff-search": ["Search in the diff", "/"],
    "file-next": ["Next file", "n"],
    "file-previous": ["Previous file", "p"],
    "line-comment": ["Comment on the line for the fixer", "w"],
  }),
  ...of("Transcript", {
    "transcript-error": ["Next error", "shift+e"],
    "transcript-prompt": ["Show the prompt", "shift+w"],
  }),
  ...Object.entries(SIGNAL_WORDS).map(([signal, { name, key }]) => ({
    id: `signal-${signal}`,
    title: name,
    group: "Loop",
    key,
  })),
  ...of("Decision", {
    "choice-a": ["The first option", "a"],
    "choice-b": ["The second", "b"],
    "choice-c": ["The third", "c"],
  }),
  ...of("Settings", {
    "settings-save": ["Save the settings", "mod+s"],
    "settings-scope": ["Change between project and global settings", "g"],
  }),
  ...of("Analytics", {
    "analytics-7d": ["Last 7 days", "1"],
    "analytics-30d": ["Last 30 days", "2"],
    "analytics-90d": ["Last 90 days", "3"],
    "analytics-all": ["All time", "4"],
    "analytics-tables": ["Show all charts as tables", "t"],
  }),
];

/** Which screen an action belongs to; what belongs to none is always there. */
const SCREEN: Readonly<Record<string, string>> = {
  Board: "board",
  Review: "review",
  Finding: "review",
  Diff: "review",
  Transcript: "review",
  Loop: "review",
  Decision: "review",
  Settings: "settings",
  Analytics: "analytics",
};

/** Whether both can be on the screen at once, so that one key cannot do both. */
export function meet(a: Listed, b: Listed): boolean {
  const [one, other] = [SCREEN[a.group], SCREEN[b.group]];
  return one === undefined || other === undefined || one === other;
}

/** Whoever else a key would do on the same screen. */
export function conflicts(
  action: Listed,
  key: string,
  all: readonly Listed[],
  own: Readonly<Record<string, string>>,
): Listed[] {
  return all.filter((other) => other.id !== action.id && (own[other.id] ?? other.key) === key && meet(action, other));
}
