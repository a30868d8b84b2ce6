import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type CommandOptions, runCommand } from "../programs/command.ts";
import { ownData } from "./own-data.ts";
import { probeSandbox } from "./probe.ts";

const SECRET = "speaks-for-a-person";
/** Neither in the home folder nor in one for temporary files, which a box covers anyway. */
const CACHE = fileURLToPath(new URL("../../../../.cache", import.meta.url));

let folder: string;
beforeEach(() => {
  mkdirSync(CACHE, { recursive: true });
  folder = realpathSync(mkdtempSync(join(CACHE, "own-data-")));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

/** A data folder with a token in it, and a folder to work in. */
function scene(data: string, cwd: string): { cwd: string; token: string } {
  const at = join(folder, data);
  mkdirSync(at, { recursive: true });
  mkdirSync(join(folder, cwd), { recursive: true });
  writeFileSync(join(at, "server-token"), SECRET);
  return { cwd: join(folder, cwd), token: join(at, "server-token") };
}

const works = (await probeSandbox()).state === "works";

const BOXES: { box: string; options: Partial<CommandOptions> }[] = [
  { box: "a box of its own", options: {} },
  { box: "a box that writes nowhere", options: { writable: "none" } },
  { box: "a box with network and home", options: { network: "allowed", git: "writable" } },
  { box: "a box that only keeps folders", options: { readOnlyFolders: [] } },
];
const PLACES = [
  { place: "beside the work", data: "data", cwd: "work" },
  { place: "in the work", data: "work/.data", cwd: "work" },
  { place: "around the work", data: "data", cwd: "data/sample/work" },
];

describe.runIf(works)("the data folder, wherever DATA_DIR says that it is", () => {
  test.for(BOXES.flatMap((box) => PLACES.map((place) => ({ ...box, ...place }))))(
    "$place cannot be read from $box",
    async ({ options, data, cwd }) => {
      const { token, ...where } = scene(data, cwd);
      vi.stubEnv("DATA_DIR", join(folder, data));
      const look = ["sh", "-c", `cat "$1"; echo looked; echo mine > "$1" || true; cat "$1"`, "sh", token] as const;
      const open = await runCommand(look, { ...where, timeoutMs: 60_000 });
      expect(open.output).toContain(SECRET);
      writeFileSync(token, SECRET);
      const shut = await runCommand(look, { ...where, timeoutMs: 60_000, sandbox: "auto", ...options });
      expect(shut).toMatchObject({ sandboxed: "bwrap", output: expect.stringContaining("looked") });
      expect(shut.output).not.toContain(SECRET);
      expect(shut.output).not.toContain("mine");
    },
  );

  test("behind a link, too", async () => {
    const { token, ...where } = scene("data", "work");
    symlinkSync(join(folder, "data"), join(folder, "link"));
    vi.stubEnv("DATA_DIR", join(folder, "link"));
    const shut = await runCommand(["cat", token], {
      ...where,
      timeoutMs: 60_000,
      sandbox: "auto",
      readOnlyFolders: [],
    });
    expect([shut.status, shut.output.includes(SECRET)]).toEqual([1, false]);
  });
});

test("nothing that a command is given names the token, whatever a setting passes on", async () => {
  vi.stubEnv("ANNEAL_TOKEN", SECRET);
  const env = { ANNEAL_TOKEN: SECRET, MINE: "1" };
  const { output } = await runCommand(["env"], { cwd: folder, timeoutMs: 60_000, env });
  expect(output).toContain("MINE=1");
  expect(output).not.toContain(SECRET);
});

test.for([
  { what: "there is none", data: "none", needed: ["work"], is: [] },
  { what: "it holds nothing that is needed", data: "data", needed: ["work"], is: ["data"] },
  { what: "it has the same beginning as what is needed", data: "data", needed: ["data-work"], is: ["data"] },
  { what: "it holds what is needed", data: "data", needed: ["data/sample"], is: ["data/server-token"] },
])("where $what, $is is hidden", ({ data, needed, is }) => {
  scene("data", needed[0] ?? "");
  const home = tmpdir();
  const hidden = ownData(
    needed.map((name) => join(folder, name)),
    join(folder, data),
    home,
  );
  expect(hidden).toEqual(is.map((name) => join(folder, name)));
});
