import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { boardOf } from "../server/items-project.ts";
import { longest, total } from "./main-thread.ts";
import { buildPages } from "./pages.ts";
import { served } from "./served.ts";
import { type Visitor, visitor } from "./visit.ts";

const FEW = 100;
const FRAMES = 120;
const STEP_PX = 250;
/** A frame that took longer than one and a half of the usual 60 in a second. */
const LATE_MS = 25;

export interface BoardSeen {
  firstCardsMs: number;
  allCardsMs: number;
  cpuMs: number;
  elements: number;
  lateFrames: number;
  longestTaskMs: number;
}

/** Visits to boards of many and of few cards, and to one of many that draws all of them; one after the other. */
export async function boards([dir = "", count = "0", runs = "0"]: string[]) {
  const many = inColumns(boardOf(join(dir, "many"), Number(count)));
  const few = inColumns(boardOf(join(dir, "few"), FEW));
  const pages = { ours: buildPages(dir, "ours"), baseline: buildPages(dir, "baseline") };
  const data = join(dir, "data");
  await using guest = await visitor();
  const seen = { many: [] as BoardSeen[], few: [] as BoardSeen[], all: [] as BoardSeen[] };
  // The first round warms up the machine and is not counted. The slowest board is only visited once.
  for (let run = 0; run <= Number(runs); run += 1) {
    for (const [name, root, cards] of [["many", many, Number(count)] as const, ["few", few, FEW] as const]) {
      const one = await look(guest, { root, cards, data, pages: pages.ours });
      if (run > 0) seen[name].push(one);
    }
  }
  seen.all.push(await look(guest, { root: many, cards: Number(count), data, pages: pages.baseline }));
  return { ...seen, frames: FRAMES, fewCards: FEW };
}

const STATUSES = ["backlog", "backlog", "backlog", "waiting_approval", "verified", "completed"];
const LARGE_TEXT = "It does what was asked. ".repeat(8_534);

/** Lays the cards out over the columns. One has a text of 200 KB, which a board should not notice. */
function inColumns(root: string): string {
  const features = join(root, ".automaker/features");
  for (const [n, id] of readdirSync(features).entries()) {
    const file = join(features, id, "feature.json");
    const feature = JSON.parse(readFileSync(file, "utf8"));
    const large = n === 0 ? { description: LARGE_TEXT } : {};
    writeFileSync(file, JSON.stringify({ ...feature, ...large, status: STATUSES[n % STATUSES.length] }));
  }
  return root;
}

interface Look {
  root: string;
  cards: number;
  data: string;
  pages: string;
}

async function look(guest: Visitor, { root, cards, data, pages }: Look): Promise<BoardSeen> {
  await using place = await served([root], data, pages);
  let lateFrames = 0;
  const { shownMs, allCardsMs, elements, tasks } = await guest.visit(place.server, {
    path: `/p/${place.ids[0]}`,
    shows: "[data-item]",
    cards,
    act: async (page) => {
      const times = await page.evaluate<number[]>(`bench.scroll(${FRAMES}, ${STEP_PX})`);
      lateFrames = times.filter((ms) => ms > LATE_MS).length;
    },
  });
  return {
    firstCardsMs: shownMs,
    allCardsMs,
    cpuMs: total(tasks),
    elements,
    lateFrames,
    longestTaskMs: longest(tasks),
  };
}
