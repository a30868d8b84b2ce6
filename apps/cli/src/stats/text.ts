import type { AnalyticsSummary, ApiAnalytics, CategoryCounts } from "@anneal/types";
import { counted, duration, money } from "../project/output.ts";
import type { Paint } from "../style.ts";

const LABEL = 22;
const NAME = 14;
const BAR = 24;
const DAYS = 10;

/** Analytics for people. */
export function statsText({ from, to, summary, days }: ApiAnalytics, paint: Paint): string {
  const { loops, reviews, fixes, issuesFound, issuesAutoFixed, timeSaved, tokens, costUsd } = summary;
  const first = from ?? days[0]?.date ?? "";
  const last = to ?? days.at(-1)?.date ?? "";
  const line = (label: string, value: string, more = "") =>
    `  ${label.padEnd(LABEL)}${paint("bold", value)}${more === "" ? "" : paint("dim", `  ${more}`)}`;
  const lines = [
    paint("bold", `Review loops, ${first === last ? first : `${first} to ${last}`}`),
    "",
    line("loops", String(loops), `${counted(reviews, "review")}, ${counted(fixes, "fix", "fixes")}`),
    line("first review passed", percent(summary.firstPassRate)),
    line("iterations before PR", decimal(summary.averageIterationsBeforePr), "on average"),
    line("iterations to a pass", decimal(summary.averageIterations), "on average, with or without a PR"),
    line(
      "issues found",
      String(issuesFound),
      `${issuesAutoFixed} auto-fixed, ${percent(summary.resolutionRate)} resolved`,
    ),
    ...(timeSaved.isTrivial === true ? [] : [line("time saved, estimated", savedText(timeSaved), timeSaved.text)]),
    line("cost", money(costUsd) || "–", tokens === 0 ? "" : `${tokens.toLocaleString("en")} tokens`),
    ...section("Issues by category", categories(summary, paint), paint),
    ...section(
      "Issues by day",
      days
        .map(dayLine)
        .filter((text) => text !== null)
        .slice(-DAYS),
      paint,
    ),
  ];
  return `${lines.join("\n")}\n`;
}

function savedText({ minutes }: AnalyticsSummary["timeSaved"]): string {
  return minutes === 0 ? "–" : duration(minutes * 60_000);
}

function section(title: string, lines: readonly string[], paint: Paint): string[] {
  return lines.length === 0 ? [] : ["", paint("bold", title), "", ...lines];
}

function categories({ commonCategories }: AnalyticsSummary, paint: Paint): string[] {
  const most = commonCategories[0]?.found ?? 1;
  const width = String(most).length;
  return commonCategories.map(({ category, found, fixed, share }) => {
    const bar = "█".repeat(Math.max(1, Math.round((found / most) * BAR)));
    const counts = `${String(found).padStart(width)}  ${percent(share).padStart(4)}  ${fixed} fixed`;
    return `  ${category.padEnd(NAME)}${paint("cyan", bar)}${" ".repeat(BAR - bar.length)}  ${counts}`;
  });
}

function dayLine({ date, found, fixed }: ApiAnalytics["days"][number]): string | null {
  const [all, gone] = [total(found), total(fixed)];
  if (all + gone === 0) return null;
  const named = Object.entries(found)
    .sort(([, a], [, b]) => b - a)
    .map(([category, count]) => `${category} ${count}`);
  return `  ${date}  ${String(all).padStart(4)} found  ${String(gone).padStart(4)} fixed  ${named.join(", ")}`.trimEnd();
}

function total(counts: CategoryCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

function percent(rate: number | null): string {
  return rate === null ? "–" : `${Math.round(rate * 100)}%`;
}

function decimal(value: number | null): string {
  return value === null ? "–" : value.toFixed(1);
}
