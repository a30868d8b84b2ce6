import { firstLoad } from "../../apps/ui/flows/testing/first-load.ts";
import { median } from "../median.ts";
import { startPart } from "../parts.ts";
import type { Bench, Measure } from "../table.ts";
import { buildPages } from "./pages.ts";

const CARDS = 5_000;
const MOST_ELEMENTS = 1_500;
const MOST_FIRST_KB = 200;

/** How the pages do with much to show, in a real Chromium over the real server. */
export function uiBenches(dir: string, quick: boolean): Record<string, () => Bench> {
  return {
    "the first load": () => firstBytes(dir),
    "a large board": () => board(dir, quick ? 2 : 5),
    "large diffs and prompts": () => large(dir, quick ? 2 : 5),
  };
}

function firstBytes(dir: string): Bench {
  const loaded = firstLoad(buildPages(dir, "ours"));
  const kb = (of: string) =>
    loaded.filter(({ file }) => file.endsWith(of)).reduce((sum, { gzipBytes }) => sum + gzipBytes, 0) / 1_024;
  return {
    title: `What the board loads first: ${loaded.length} files, compressed`,
    measures: [
      { measure: "all of it", ours: kb(""), unit: "KB", limit: MOST_FIRST_KB },
      { measure: "scripts", ours: kb(".js"), unit: "KB" },
      { measure: "styles", ours: kb(".css"), unit: "KB" },
    ],
  };
}

function board(dir: string, runs: number): Bench {
  const { many, few, all, frames, fewCards } = startPart("ui-board", dir, CARDS, runs);
  type Seen = keyof (typeof many)[number];
  const of = (list: typeof many, what: Seen) => median(list.map((one) => one[what]));
  const row = (measure: string, what: Seen, unit: Measure["unit"]) => ({ measure, ours: of(many, what), unit });
  const against = (name: string, list: typeof many, what: Seen) => ({ baseline: { name, value: of(list, what) } });
  const small = (what: Seen) => against(`with ${fewCards} cards`, few, what);
  const drawn = (what: Seen) => against("every card drawn", all, what);
  return {
    title: `A board of ${CARDS} cards in Chromium, opened and scrolled over ${frames} frames`,
    measures: [
      { ...row("first cards", "firstCardsMs", "ms"), ...small("firstCardsMs"), limit: 2 },
      { ...row("all cards", "allCardsMs", "ms"), ...drawn("allCardsMs"), limit: 0.5 },
      { ...row("main thread, CPU", "cpuMs", "ms"), ...small("cpuMs"), limit: 2 },
      { ...row("main thread, CPU", "cpuMs", "ms"), ...drawn("cpuMs") },
      { ...row("longest task, CPU", "longestTaskMs", "ms"), ...small("longestTaskMs"), limit: 2 },
      { ...row("late frames", "lateFrames", "frames"), ...small("lateFrames") },
      { ...row("elements", "elements", "elements"), limit: MOST_ELEMENTS },
      { ...row("elements", "elements", "elements"), ...drawn("elements") },
    ],
    note: [
      "Baselines: the same page over a small project, and the same page without its virtualiser. A frame is late after 25 ms.",
      "The first cards come with the first page of 1,000, before most of them are drawn in either: what drawing them costs shows once all are there.",
      "When the libraries were chosen: first cards 600–900 ms with 884 elements; every card drawn 3,700 ms and 45,000 elements.",
    ].join("\n"),
  };
}

function large(dir: string, runs: number): Bench {
  const { diff, opened, lock, prompt, diffLines, lockLines, promptBytes } = startPart("ui-large", dir, runs);
  type Seen = keyof (typeof diff.ours)[number];
  const of = (list: typeof diff.ours, what: Seen) => median(list.map((one) => one[what]));
  const rows = (what: Seen) => ({ baseline: { name: "plain virtual rows", value: of(diff.baseline, what) } });
  const usual = { name: "a change of 80 lines", value: of(diff.usual, "longestTaskMs") };
  const task = (list: typeof diff.ours) => ({ ours: of(list, "longestTaskMs"), unit: "ms" as const, baseline: usual });
  const lines = `${diffLines} lines`;
  const locked = `lock file of ${lockLines} lines`;
  return {
    title: "Large diffs and prompts in Chromium",
    measures: [
      { measure: `${lines}: first paint`, ours: of(diff.ours, "paintMs"), ...rows("paintMs"), unit: "ms", limit: 2 },
      {
        measure: `${lines}: opened from the board`,
        ours: median(opened.ours),
        baseline: { name: "plain virtual rows", value: median(opened.baseline) },
        unit: "ms",
        limit: 2,
      },
      {
        measure: `${lines}: after the patch`,
        ours: of(diff.ours, "drawMs"),
        baseline: { name: "a change of 80 lines", value: of(diff.usual, "drawMs") },
        unit: "ms",
        limit: 2,
      },
      { measure: `${lines}: elements`, ours: of(diff.ours, "elements"), unit: "elements", limit: MOST_ELEMENTS },
      { measure: `${lines}: longest task, CPU`, ...task(diff.ours), limit: 2 },
      { measure: `${locked}, folded: longest task, CPU`, ...task(lock.folded), limit: 2 },
      { measure: `${locked}, opened: longest task, CPU`, ...task(lock.shown), limit: 2 },
      ...(["opened", "typed", "compared"] as const).map((step) => ({
        measure: `prompt of ${promptBytes / 1_024} KB, ${step}: longest task, CPU`,
        ours: median(prompt.large.map((one) => one[step])),
        baseline: { name: "a prompt of 2 KB", value: median(prompt.small.map((one) => one[step])) },
        unit: "ms" as const,
        ...(step === "opened" ? { limit: 3 } : {}),
      })),
    ],
    note: [
      "After the patch a page that was just opened still starts the viewer and its workers, which plain rows do not have: that is compared with a small change.",
      "Plain virtual rows show the lines of the patch as they are, without colours, findings or files.",
      "When the libraries were chosen: first paint 1,500–1,900 ms with 437 elements; plain rows 700 ms.",
    ].join("\n"),
  };
}
