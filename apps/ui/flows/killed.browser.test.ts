import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { approves, build, fix, rejects } from "../../server/src/testing/loop-world.ts";
import { freePort, type ServedProcess, serveProcess, TOKEN } from "../../server/src/testing/served-process.ts";
import { makeProject } from "../../server/src/testing/server-world.ts";
import { loggedInFirst } from "./testing/board.ts";
import { launch } from "./testing/chromium.ts";

const LINK = /log in: +(\S+)/;
const THINKING_MS = 1_500;

/** A project whose one feature is rejected once, and `anneal serve` over it, which comes back at the same address. */
async function stage() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "anneal-killed-")));
  const root = makeProject(join(folder, "project"), 1);
  const steps = [
    build("a.js", "export const a = 1;\n"),
    { ...rejects("a.js", "A flaw"), delayMs: THINKING_MS },
    { ...fix("a.js", "export const a = 2;\n"), delayMs: THINKING_MS },
    approves,
  ];
  writeFileSync(join(root, ".automaker/scripts/f1.json"), JSON.stringify({ steps }));
  const port = await freePort();
  let server: ServedProcess = await serveProcess(folder, [root], port);
  const browser = await launch();
  onTestFinished(async () => {
    await browser.close();
    await server[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  const get = async (path: string) =>
    (await fetch(`http://127.0.0.1:${port}${path}`, { headers: { "x-api-key": TOKEN } })).json() as Promise<unknown>;
  return {
    get,
    async enter() {
      const context = await browser.newContext({ reducedMotion: "reduce", locale: "en-US" });
      const page = await context.newPage();
      page.setDefaultTimeout(60_000);
      await page.addInitScript(() =>
        localStorage.setItem("anneal", JSON.stringify({ state: { toured: true }, version: 0 })),
      );
      await page.goto(LINK.exec(server.said())?.[1] ?? "");
      await page.getByText("live", { exact: true }).waitFor();
      return page;
    },
    async kill() {
      server.child.kill("SIGKILL");
      expect(await server.ended).toBeNull();
    },
    again: (page: Page) =>
      loggedInFirst(page, async () => {
        server = await serveProcess(folder, [root], port);
        return LINK.exec(server.said())?.[1] ?? "";
      }),
  };
}

test("a server that is killed in the middle of a loop: the page says so, replays what it missed, and shows what is", async () => {
  const { get, enter, kill, again } = await stage();
  const page = await enter();
  await page.getByRole("link", { name: "Feature 1" }).click();
  await page.getByRole("button", { name: "Start it" }).click();
  for (const during of ["Review", "Fix"]) {
    const rail = page.getByRole("list", { name: "Stages" });
    await rail.locator("[aria-current]", { hasText: during }).waitFor();
    await kill();
    await page.getByText(/^Disconnected/).waitFor();
    // What the loop could be told it cannot be told now, and nothing waits to be told later.
    await page
      .getByRole("button", { name: "Pause" })
      .and(page.getByTitle(/nothing was sent/))
      .waitFor();
    // It is said for a few seconds only.
    const said = page.getByText(/Connected again: \d+ events? loaded\./).waitFor();
    await Promise.all([said, again(page)]);
  }
  await page.getByText("Round 2/3").waitFor();
  await page.getByRole("region", { name: "Settled, 1" }).getByText("A flaw").waitFor();
  const { projects } = (await get("/api/projects")) as { projects: { id: string }[] };
  const loop = (await get(`/api/projects/${projects[0]?.id}/loops/f1~1`)) as { next: { sentence: string } };
  await page.getByText(loop.next.sentence).waitFor();
  await page.getByText("export const a = 2;").waitFor();
  expect(await page.getByTitle(/nothing was sent/).count()).toBe(0);

  const fresh = await page.context().newPage();
  await fresh.goto(page.url());
  await fresh.getByRole("region", { name: "Settled, 1" }).waitFor();
  const shown = (one: typeof page) => one.getByRole("complementary", { name: "Findings and actions" }).textContent();
  expect(await shown(page)).toBe(await shown(fresh));
});
