import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type TempFolder, tempFolder } from "../../../system/src/testing/temp-folder.ts";
import { loadProjectContext } from "./context.ts";
import { featureStore } from "./store.ts";

const FEATURE = '{ "id": "f1", "description": "d", "status": "backlog" }';
const AT = ".automaker/features/f1";
const PIPE = /is not a file but a pipe or a device/;

/** A reader of a pipe that nobody writes to waits for ever, and holds up whoever waits for it. */
function withPipe(folder: TempFolder, path: string) {
  folder.write(`${AT}/feature.json`, FEATURE);
  folder.write("CLAUDE.md", "Be kind.\n");
  const place = join(folder.dir, path);
  execFileSync("rm", ["-f", place]);
  execFileSync("mkfifo", [place]);
  return featureStore(folder.dir);
}

test("a pipe in place of a feature is reported as such, and no change waits for it", async () => {
  using folder = tempFolder();
  const store = withPipe(folder, `${AT}/feature.json`);
  expect(await store.get("f1")).toMatchObject({ damaged: expect.stringMatching(PIPE) });
  await expect(store.update("f1", (feature) => ({ ...feature, title: "T" }))).rejects.toThrow(PIPE);
  await expect(store.remove("f1", { ifVersion: "of before" })).rejects.toThrow(/changed|version|gone/i);
  expect(await store.remove("f1")).toBe(true);
});

test("a pipe in place of what agents and reviews said is reported as such", async () => {
  using folder = tempFolder();
  const store = withPipe(folder, `${AT}/code-review-iteration-1.md`);
  await expect(store.readReview("f1", 1)).rejects.toThrow(PIPE);
});

test("a pipe in place of a file for the prompts is left out, with a note", async () => {
  using folder = tempFolder();
  withPipe(folder, "CLAUDE.md");
  const { notes } = await loadProjectContext(folder.dir);
  expect(notes).toEqual([expect.stringMatching(PIPE)]);
});
