import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { approves, loopWorld } from "../../apps/server/src/testing/loop-world.ts";
import { longest } from "./main-thread.ts";
import { buildPages } from "./pages.ts";
import { codeOf, lockOf, promptOf } from "./samples.ts";
import { served } from "./served.ts";
import { type Page, type Visitor, visitor } from "./visit.ts";

const DIFF_LINES = 5_000;
const DIFF_FILES = 10;
const LOCK_LINES = 30_000;
const LARGE_PROMPT = 200 * 1_024;
const SMALL_PROMPT = 2 * 1_024;
const SMALL_FILE = 40;

export interface DiffSeen {
  /** From the start of the navigation. */
  paintMs: number;
  /** From the moment when the patch was there. */
  drawMs: number;
  elements: number;
  longestTaskMs: number;
}

/** Visits to reviews and prompts of usual and of great size; a review also as plain rows show it. */
export async function largeThings([dir = "", runs = "0"]: string[]) {
  const pages = { ours: buildPages(dir, "ours"), baseline: buildPages(dir, "baseline") };
  await using project = await reviewed();
  await using guest = await visitor();
  const seen = {
    diff: { ours: [] as DiffSeen[], baseline: [] as DiffSeen[], usual: [] as DiffSeen[] },
    opened: { ours: [] as number[], baseline: [] as number[] },
    lock: { folded: [] as DiffSeen[], shown: [] as DiffSeen[] },
    prompt: { small: [] as PromptSeen[], large: [] as PromptSeen[] },
  };
  for (let run = 0; run <= Number(runs); run += 1) {
    const into = <T>(list: T[], one: T) => void (run > 0 && list.push(one));
    for (const which of ["ours", "baseline"] as const) {
      await using place = await project.serve(pages[which]);
      const review = (item: string, act?: (page: Page) => Promise<void>) => reviewOf(guest, place, item, act);
      into(seen.diff[which], await review("f1"));
      into(seen.opened[which], await openedFromBoard(guest, place, "f1"));
      if (which === "baseline") continue;
      into(seen.diff.usual, await review("f3"));
      into(seen.lock.folded, await review("f2"));
      into(seen.lock.shown, await review("f2", showLock));
    }
    for (const [size, length] of [["small", SMALL_PROMPT] as const, ["large", LARGE_PROMPT] as const]) {
      project.setPrompt(promptOf(length));
      await using place = await project.serve(pages.ours);
      into(seen.prompt[size], await promptVisit(guest, place));
    }
  }
  return { ...seen, diffLines: DIFF_LINES, lockLines: LOCK_LINES, promptBytes: LARGE_PROMPT };
}

type Place = Awaited<ReturnType<typeof served>>;

async function reviewOf(
  guest: Visitor,
  { server, ids }: Place,
  item: string,
  act?: (page: Page) => Promise<void>,
): Promise<DiffSeen> {
  const path = `/p/${ids[0]}/review/${item}`;
  let patchMs = 0;
  const { shownMs, tasks, elements } = await guest.visit(server, {
    path,
    shows: "[data-line]",
    act: async (page) => {
      patchMs = await arrivalOf(page, "/diff?");
      await act?.(page);
    },
  });
  return { paintMs: shownMs, drawMs: shownMs - patchMs, elements, longestTaskMs: longest(tasks) };
}

/** How long it takes from the click on a card until its diff is there, once the board has loaded what it loads ahead. */
async function openedFromBoard(guest: Visitor, { server, ids }: Place, item: string): Promise<number> {
  let openedMs = 0;
  await guest.visit(server, {
    path: `/p/${ids[0]}`,
    shows: "[data-item]",
    act: async (page) => {
      await page.waitForFunction(() =>
        performance.getEntriesByType("resource").some(({ name }) => /palette-/.test(name)),
      );
      await page.waitForLoadState("networkidle");
      openedMs = await page.evaluate<number>(`bench.open("[data-item=${item}]", "[data-line]")`);
    },
  });
  return openedMs;
}

async function showLock(page: Page): Promise<void> {
  await page.getByRole("button", { name: /show it/ }).click();
  await page.getByText("node_modules/package-3").first().waitFor();
}

/** When the answer from such an address was there. */
async function arrivalOf(page: Page, address: string): Promise<number> {
  const entries = `performance.getEntriesByType("resource").filter(({ name }) => name.includes("${address}"))`;
  return await page.evaluate<number>(`${entries}[0].responseEnd`);
}

/** What somebody does with a prompt, each with the CPU of its longest task. */
const STEPS = {
  opened: async () => {},
  typed: async (page: Page) => {
    const text = page.locator("textarea:not([readonly])").first();
    await text.press("End");
    await text.pressSequentially("new");
  },
  compared: async (page: Page) => {
    await page.getByRole("button", { name: "Compare with default" }).first().click();
    await page.getByRole("region", { name: "Compared with the default" }).waitFor();
  },
};

export type PromptSeen = Record<keyof typeof STEPS, number>;

async function promptVisit(guest: Visitor, { server, ids }: Place): Promise<PromptSeen> {
  const seen: PromptSeen = { opened: 0, typed: 0, compared: 0 };
  for (const step of Object.keys(STEPS) as (keyof PromptSeen)[]) {
    const path = `/p/${ids[0]}/settings/prompts`;
    const { tasks } = await guest.visit(server, { path, shows: "textarea", act: STEPS[step] });
    seen[step] = longest(tasks);
  }
  return seen;
}

/** A project with a change of many lines, one with a large lock file, and a usual one. */
async function reviewed() {
  const world = await loopWorld(3);
  const usual = { "src/a.ts": codeOf(SMALL_FILE, "a"), "src/b.ts": codeOf(SMALL_FILE, "b") };
  const parts = Array.from({ length: DIFF_FILES }, (_, at) => [
    `src/part-${at}.ts`,
    codeOf(DIFF_LINES / DIFF_FILES, `part${at}`),
  ]);
  const changes: Record<string, Record<string, string>> = {
    f1: Object.fromEntries(parts),
    f2: { "package-lock.json": lockOf(LOCK_LINES), ...usual },
    f3: usual,
  };
  for (const [id, files] of Object.entries(changes)) {
    const edits = Object.entries(files).map(([path, content]) => ({ path, content }));
    world.script(id, [{ role: "implementer", edits, answer: "Built it." }, approves]);
    await world.run(id, ["ended", "waiting-for-human"]);
  }
  await world.stop();
  return {
    serve: (pages: string) => served([world.root], join(world.folder, "data"), pages),
    setPrompt(value: string) {
      const path = join(world.root, ".automaker/settings.json");
      const settings = JSON.parse(readFileSync(path, "utf8"));
      const promptCustomization = { codeReview: { reviewSystemPrompt: { enabled: true, value } } };
      writeFileSync(path, JSON.stringify({ ...settings, promptCustomization }));
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}
