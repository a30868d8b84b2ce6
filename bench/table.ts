/** One line of the result. Without a limit it is for information. */
export interface Measure {
  measure: string;
  ours: number;
  baseline?: { name: string; value: number };
  unit: "ms" | "µs" | "KB" | "MB" | "%" | "processes" | "watches" | "elements" | "frames" | "answers";
  /** Largest ratio to the baseline, or largest value where there is no baseline. */
  limit?: number;
}

export function table(measures: readonly Measure[]): string {
  const rows = [["measure", "ours", "baseline", "ratio", "limit", "ok"], ...measures.map(row)];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0))) ?? [];
  const lines = rows.map((cells) => cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | "));
  const rule = widths.map((width) => "-".repeat(width)).join("-|-");
  return [lines[0], rule, ...lines.slice(1)].map((line) => line?.trimEnd()).join("\n");
}

export function withinLimit({ ours, baseline, limit }: Measure): boolean {
  return limit === undefined || ours / (baseline?.value ?? 1) <= limit;
}

function row(entry: Measure): string[] {
  const { measure, ours, baseline, unit, limit } = entry;
  const shownLimit = limit === undefined ? "" : baseline === undefined ? `${limit} ${unit}` : `${limit}×`;
  return [
    measure,
    `${ours.toFixed(1)} ${unit}`,
    baseline === undefined ? "" : `${baseline.value.toFixed(1)} ${unit} ${baseline.name}`,
    baseline === undefined ? "" : `${(ours / baseline.value).toFixed(2)}×`,
    shownLimit,
    limit === undefined ? "" : withinLimit(entry) ? "yes" : "NO",
  ];
}

export interface Bench {
  title: string;
  measures: Measure[];
  /** What the baseline is made of, where its name does not say it. */
  note?: string;
}
