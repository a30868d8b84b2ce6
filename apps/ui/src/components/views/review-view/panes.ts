/** What can be looked at beside the findings; the keys are their numbers. */
export const PANES = [
  ["diff", "Diff"],
  ["transcript", "Transcript"],
  ["history", "Rounds"],
  ["pull-request", "Pull request"],
  ["certificate", "Certificate"],
] as const;

/** The actions that show them, as every list of keys has them. */
export const PANE_ACTIONS = PANES.map(([value, title], index) => ({
  id: `pane-${value}`,
  title: `Look at: ${title}`,
  key: String(index + 1),
  value,
}));
