import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { anneal, annealOnTerminal, hasTerminal, start } from "../testing/anneal.ts";
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

test.runIf(hasTerminal)("anneal serve prints another link for whoever presses Enter at its terminal", async () => {
  using folder = tempFolder();
  // The second word is Ctrl+C.
  const typing = { question: "log in:", lines: ["", "\u0003"] };
  const run = await annealOnTerminal(folder.path, ["serve", "--sample", "--port", "0"], {}, typing);
  const links = run.stdout.match(/login\?code=[\w-]{43}/g) ?? [];
  expect([links.length >= 2, new Set(links).size], run.stdout).toEqual([true, links.length]);
  expect(run.stdout).toContain("parking the loops");
});

test.concurrent.for([
  { args: ["--port", "x"], says: /--port takes a number from 0 to 65535, not "x"/ },
  {
    args: ["--host", "0.0.0.0", "--port", "0"],
    says: /0\.0\.0\.0 is reachable from other machines: set a token in ANNEAL_TOKEN/,
  },
  { args: ["somewhere"], says: /name projects with --project/ },
  {
    args: ["--project", "."],
    data: "a-file",
    says: /the data folder \S+a-file is not writable: set DATA_DIR to a writable folder/,
  },
  { args: ["--port", "0"], token: "short", says: /ANNEAL_TOKEN is too short: at least 16 characters/ },
  {
    args: ["--port", "0", "--host", "203.0.113.9"],
    token: "x".repeat(16),
    says: /203\.0\.113\.9 is not an address of/,
  },
])("anneal serve $args says what is wrong, as a mistake of whoever started it", async ({ args, token, data, says }) => {
  using folder = tempFolder();
  const env: NodeJS.ProcessEnv = token === undefined ? {} : { ANNEAL_TOKEN: token };
  if (data !== undefined) {
    env.DATA_DIR = join(folder.path, data);
    writeFileSync(env.DATA_DIR, "");
  }
  const sample = data === undefined ? ["--sample"] : [];
  const { code, stderr } = await anneal(folder.path, ["serve", ...sample, ...args], env);
  expect(stderr).toMatch(says);
  expect(stderr).not.toMatch(/unexpected/);
  expect(code).toBe(2);
});

test.concurrent("anneal serve says which port is taken, and how to take another", async () => {
  using folder = tempFolder();
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const { port } = other.address() as AddressInfo;
  try {
    const { code, stderr } = await anneal(folder.path, ["serve", "--sample", "--port", String(port)]);
    expect(stderr).toContain(`port ${port} of 127.0.0.1 is in use: choose another with --port`);
    expect([code, stderr.includes("unexpected")]).toEqual([2, false]);
  } finally {
    other.close();
  }
});
