import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { anneal, start } from "../testing/anneal.ts";
import { tempFolder } from "../testing/temp.ts";

test.concurrent("anneal serve --sample --open serves a sample, opens the browser by its link, and parks on SIGTERM", async () => {
  using folder = tempFolder();
  const opened = join(folder.path, "opened");
  const browser = join(folder.path, "a browser");
  writeFileSync(browser, `#!/bin/sh\nprintf '%s\\n' "$#" "$1" > "${opened}.part" && mv "${opened}.part" "${opened}"\n`);
  chmodSync(browser, 0o755);
  const { child, ended } = start(folder.path, ["serve", "--sample", "--open", "--port", "0"], { BROWSER: browser });
  await expect.poll(() => existsSync(opened), { timeout: 60_000 }).toBe(true);
  const [count, link = ""] = readFileSync(opened, "utf8").split("\n");
  expect(count).toBe("1");
  expect((await fetch(link, { redirect: "manual" })).status).toBe(302);
  expect(await (await fetch(new URL("/api/health", link))).json()).toEqual({ status: "ok" });
  child.kill("SIGTERM");
  const run = await ended;
  expect(run).toMatchObject({ code: 0, stderr: expect.stringContaining("parking the loops") });
  expect(run.stdout).toMatch(/^Anneal listens on http:\/\/127\.0\.0\.1:\d+\n {2}log in: {4}http\S+\/login\?code=\S+\n/);
});

test.concurrent.for([
  { args: ["--port", "x"], says: /--port takes a number from 0 to 65535, not "x"/ },
  {
    args: ["--host", "0.0.0.0", "--port", "0"],
    says: /0\.0\.0\.0 is open to other machines: set a token of your own in ANNEAL_TOKEN/,
  },
  { args: ["somewhere"], says: /name projects with --project/ },
])("anneal serve $args says what is wrong", async ({ args, says }) => {
  using folder = tempFolder();
  const { code, stderr } = await anneal(folder.path, ["serve", ...args]);
  expect(code).not.toBe(0);
  expect(stderr).toMatch(says);
});
