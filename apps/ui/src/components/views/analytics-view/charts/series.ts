import type { ApiAnalytics, Category } from "@anneal/types";
import { dayOf, type Range } from "./range.ts";

export type ChartDay = ApiAnalytics["days"][number];

/** Some days in a row that are drawn as one. */
export interface Bin {
  /** Its first day. */
  date: string;
  days: ChartDay[];
}

const DAY_MS = 86_400_000;
const MOST_BINS = 120;

/** Days in order with no gap: by day, by week where there are many, by four weeks where there are very many. */
export function bins(days: readonly ChartDay[], { from, to }: Pick<Range, "from" | "to">, today: string): Bin[] {
  const first = from ?? days[0]?.date;
  if (first === undefined) return [];
  const last = to ?? later(today, days.at(-1)?.date ?? today);
  const [start, end] = [msOf(first), msOf(last)];
  const count = Math.floor((end - start) / DAY_MS) + 1;
  const step = [1, 7].find((size) => count / size <= MOST_BINS) ?? 28;
  const made = Array.from({ length: Math.max(0, Math.ceil(count / step)) }, (_, index): Bin => {
    return { date: dayOf(start + index * step * DAY_MS), days: [] };
  });
  for (const day of days) made[Math.floor((msOf(day.date) - start) / DAY_MS / step)]?.days.push(day);
  return made;
}

export interface Series {
  name: string;
  /** Of the theme, as in `--chart-1`. */
  colour: string;
  values: number[];
  /** What it is about, where that can be opened. */
  category?: Category;
}

const COLOURS: Readonly<Record<Category, string>> = {
  security: "--chart-1",
  logic: "--chart-2",
  testing: "--chart-3",
  architecture: "--chart-4",
  performance: "--chart-5",
  style: "--chart-6",
  compliance: "--chart-7",
  documentation: "--chart-8",
};

export function colourOf(category: Category): string {
  return COLOURS[category];
}

/** Findings by category over time, the most frequent first. */
export function byCategory(all: readonly Bin[], common: ApiAnalytics["summary"]["commonCategories"]): Series[] {
  return common.map(({ category }) => ({
    name: category,
    category,
    colour: colourOf(category),
    values: sums(all, ({ found }) => found[category] ?? 0),
  }));
}

/** What the loops did. */
export function byRound(all: readonly Bin[]): Series[] {
  return [
    { name: "reviews", colour: "--chart-2", values: sums(all, ({ reviews }) => reviews) },
    { name: "fixes", colour: "--chart-3", values: sums(all, ({ fixes }) => fixes) },
    { name: "failed reviews", colour: "--chart-1", values: sums(all, ({ brokenReviews }) => brokenReviews) },
  ];
}

export function byCost(all: readonly Bin[]): Series[] {
  return [{ name: "cost in US dollars", colour: "--chart-4", values: sums(all, ({ costUsd }) => costUsd) }];
}

/** Each series on top of those after it, so that the first one drawn is the whole. */
export function stacked(series: readonly Series[]): number[][] {
  return series.map((_, index) => {
    const below = series.slice(index);
    return (series[0]?.values ?? []).map((__, at) => below.reduce((sum, { values }) => sum + (values[at] ?? 0), 0));
  });
}

/** A day, or what a row of days is called. */
export function binName(all: readonly Bin[], index: number): string {
  const [bin, next] = [all[index], all[index + 1]];
  if (bin === undefined) return "";
  const step = stepOf(all);
  if (step === DAY_MS) return bin.date;
  return `${bin.date} to ${dayOf((next === undefined ? msOf(bin.date) + step : msOf(next.date)) - DAY_MS)}`;
}

/** The days of a bin, both ends included. */
export function binRange(all: readonly Bin[], index: number): { from: string; to: string } | null {
  const bin = all[index];
  return bin === undefined ? null : { from: bin.date, to: dayOf(msOf(bin.date) + stepOf(all) - DAY_MS) };
}

/** The first and the last moment of all, half a bin wider, in seconds. */
export function spanOf(all: readonly Bin[]): [number, number] {
  const [first, last] = [all[0]?.date ?? "1970-01-01", all.at(-1)?.date ?? "1970-01-01"];
  const half = stepOf(all) / 2;
  return [(msOf(first) - half) / 1_000, (msOf(last) + half) / 1_000];
}

function stepOf(all: readonly Bin[]): number {
  const [first, second] = all;
  return first === undefined || second === undefined ? DAY_MS : msOf(second.date) - msOf(first.date);
}

export function msOf(date: string): number {
  return Date.parse(`${date}T00:00:00Z`);
}

function sums(all: readonly Bin[], of: (day: ChartDay) => number): number[] {
  return all.map(({ days }) => days.reduce((sum, day) => sum + of(day), 0));
}

function later(a: string, b: string): string {
  return a > b ? a : b;
}
