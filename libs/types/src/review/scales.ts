/** How bad a finding is. Worst first: the order is the scale. */
export const SEVERITIES = ["critical", "high", "medium", "low", "info"] as const;

/** What a finding is about. */
export const CATEGORIES = [
  "compliance",
  "logic",
  "security",
  "architecture",
  "performance",
  "testing",
  "style",
  "documentation",
] as const;
