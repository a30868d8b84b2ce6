import { mkdirSync, symlinkSync } from "node:fs";
import { dirname } from "node:path";
import { DamagedFile, InvalidChange } from "@anneal/system/files/errors";
import { DEFAULT_REVIEW_LOOP_CONFIG } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { type TempFolder, tempFolder } from "../../../system/src/testing/temp-folder.ts";
import { globalSettings, loadSettings, loadSettingsWith, projectSettings, updateSettings } from "./settings.ts";

const PROJECT = "project/.automaker/settings.json";
const GLOBAL = "data/settings.json";
const prompt = (value: string, enabled = true) => ({ enabled, value });

function load(folder: TempFolder, lastGood?: Parameters<typeof loadSettings>[2]) {
  return loadSettings(folder.path("project"), folder.path("data"), lastGood);
}

describe("what holds", () => {
  test("without any file the defaults hold", async () => {
    using folder = tempFolder();
    const { settings, problems } = await load(folder);
    expect(settings).toEqual({
      maxConcurrency: 3,
      useWorktrees: true,
      reviewLoop: DEFAULT_REVIEW_LOOP_CONFIG,
      promptCustomization: { codeReview: {} },
      policies: [],
      budgets: {},
    });
    expect(problems).toEqual([]);
  });

  test.for([
    { what: "the file", link: PROJECT, to: "../../elsewhere/settings.json" },
    { what: "its folder", link: "project/.automaker", to: "../elsewhere" },
  ])("nothing is taken from outside of the project: $what is a link that leads out of it", async ({ link, to }) => {
    using folder = tempFolder();
    folder.write("project/a", "");
    folder.write("elsewhere/settings.json", '{"maxConcurrency":9,"theirs":"secret"}');
    mkdirSync(dirname(folder.path(link)), { recursive: true });
    symlinkSync(to, folder.path(link));
    const { settings, project, problems } = await load(folder);
    expect([settings.maxConcurrency, project]).toEqual([3, { version: 1 }]);
    expect(problems).toEqual([expect.stringContaining("leads out of")]);
    await expect(updateSettings(projectSettings(folder.path("project")), (one) => ({ ...one, x: 1 }))).rejects.toThrow(
      /leads out of/,
    );
    expect(folder.read("elsewhere/settings.json")).toBe('{"maxConcurrency":9,"theirs":"secret"}');
  });

  test("a link within the project, and one of the user's own to anywhere, are followed", async () => {
    using folder = tempFolder();
    folder.write("project/shared.json", '{"maxConcurrency":8}');
    folder.write("project/.automaker/a", "");
    folder.write("data/a", "");
    folder.write("dotfiles/settings.json", '{"useWorktrees":false}');
    symlinkSync("../shared.json", folder.path(PROJECT));
    symlinkSync("../dotfiles/settings.json", folder.path(GLOBAL));
    const { settings, problems } = await load(folder);
    expect([settings.maxConcurrency, settings.useWorktrees, problems]).toEqual([8, false, []]);
  });

  test("the project's value overrides the global one and the default, key by key", async () => {
    using folder = tempFolder();
    folder.write(
      GLOBAL,
      JSON.stringify({
        version: 4,
        maxConcurrency: 5,
        useWorktrees: false,
        reviewLoop: { enabled: false, maxIterations: 7 },
        promptCustomization: {
          codeReview: { reviewSystemPrompt: prompt("g1"), reviewPromptTemplate: prompt("g2") },
          theirs: 1,
        },
        budgets: { tokens: 10, costUsd: 1 },
      }),
    );
    folder.write(
      PROJECT,
      JSON.stringify({
        maxConcurrency: 2,
        reviewLoop: { maxIterations: 4 },
        promptCustomization: { codeReview: { reviewSystemPrompt: prompt("p1", false) } },
        budgets: { costUsd: 2, tokens: 4 },
        theirs: true,
      }),
    );
    const loaded = await load(folder);
    expect(loaded.settings).toMatchObject({
      maxConcurrency: 2,
      useWorktrees: false,
      reviewLoop: { ...DEFAULT_REVIEW_LOOP_CONFIG, enabled: false, maxIterations: 4 },
      promptCustomization: {
        codeReview: { reviewSystemPrompt: prompt("p1", false), reviewPromptTemplate: prompt("g2") },
        theirs: 1,
      },
      budgets: { tokens: 4, costUsd: 1 },
    });
    expect(loaded.project).toMatchObject({ theirs: true });
  });
});

test.for([
  { what: "the project's own", project: '{\n  "version": 1,\n\n  "testCommand": "a"\n}', is: [PROJECT, 4] },
  { what: "the user's", project: '{"version":1}', is: [GLOBAL, 2] },
  { what: "nobody's, where the project would say it", project: null, global: "{}", is: [PROJECT, 1] },
])("where a setting stands: $what", async ({ project, global = '{\n"testCommand": "b"}', is: [file, line] }) => {
  using folder = tempFolder();
  if (project !== null) folder.write(PROJECT, project);
  folder.write(GLOBAL, global);
  expect((await load(folder)).placeOf("testCommand")).toEqual({ path: folder.path(String(file)), line });
});

describe("bad values", () => {
  test("each is named with its location and what is allowed; the good ones hold and the file stays", async () => {
    using folder = tempFolder();
    const text =
      '{\n  "maxConcurrency": 0,\n  "reviewLoop": {\n    "severityThreshold": "huge"\n  },\n  "budgets": { "tokens": 5 }\n}';
    const path = folder.write(PROJECT, text);
    folder.write(GLOBAL, '{"maxConcurrency": 5}');
    const { settings, problems } = await load(folder);
    expect(problems).toEqual([
      `${path}:4:26: reviewLoop.severityThreshold: expected one of "critical", "high", "medium", "low", "suggestion"`,
      `${path}:2:21: maxConcurrency: Too small: expected number to be >=1`,
    ]);
    expect(settings).toMatchObject({
      maxConcurrency: 5,
      reviewLoop: { severityThreshold: "medium" },
      budgets: { tokens: 5 },
    });
    expect(folder.read(PROJECT)).toBe(text);
  });

  test("a price that nobody asks is named with its bound", async () => {
    using folder = tempFolder();
    const path = folder.write(PROJECT, '{"prices":{"m":{"input":1e308,"output":1}}}');
    const { problems } = await load(folder);
    expect(problems).toEqual([`${path}:1:25: prices.m.input: Too big: expected number to be <=1000000`]);
  });

  test("the last good value stays in force in their place", async () => {
    using folder = tempFolder();
    folder.write(PROJECT, '{"maxConcurrency": 7, "budgets": {"tokens": 5}}');
    const good = await load(folder);
    folder.write(PROJECT, '{"maxConcurrency": "many", "budgets": {"tokens": 6}}');
    const bad = await load(folder, good);
    expect(bad.settings).toMatchObject({ maxConcurrency: 7, budgets: { tokens: 6 } });
    expect(bad.problems).toEqual([`${folder.path(PROJECT)}:1:20: maxConcurrency: expected number, received string`]);
  });

  test.for(['{"maxConcurrency": 7', "[]", "", "null"])(
    "of the damaged file %o all last good values stay",
    async (text) => {
      using folder = tempFolder();
      folder.write(PROJECT, '{"maxConcurrency": 7}');
      const good = await load(folder);
      const path = folder.write(PROJECT, text);
      const bad = await load(folder, good);
      expect(bad.settings.maxConcurrency).toBe(7);
      expect(bad.problems).toEqual([expect.stringMatching(`^${path}:1:\\d+: .`)]);
      expect((await load(folder)).settings.maxConcurrency).toBe(3);
      expect(folder.read(PROJECT)).toBe(text);
    },
  );
});

describe("changing settings", () => {
  test("the files are made where there are none, the global one for this user only", async () => {
    using folder = tempFolder();
    await updateSettings(projectSettings(folder.path("project")), (settings) => ({ ...settings, maxConcurrency: 4 }));
    await updateSettings(globalSettings(folder.path("data")), (settings) => ({ ...settings, useWorktrees: false }));
    expect(folder.read(PROJECT)).toBe('{\n  "version": 1,\n  "maxConcurrency": 4\n}\n');
    expect(folder.read(GLOBAL)).toBe('{\n  "version": 4,\n  "useWorktrees": false\n}\n');
    expect([folder.mode("data"), folder.mode(GLOBAL)]).toEqual([0o700, 0o600]);
  });

  test("a change to a value that is not allowed is refused, and so is one of a damaged file", async () => {
    using folder = tempFolder();
    folder.write(GLOBAL, '{"theirs": 1}');
    const scope = globalSettings(folder.path("data"));
    const zero = updateSettings(scope, (settings) => ({ ...settings, maxConcurrency: 0 }));
    await expect(zero).rejects.toThrow(InvalidChange);
    folder.write(GLOBAL, "{");
    await expect(updateSettings(scope, () => ({}))).rejects.toThrow(DamagedFile);
    expect(folder.read(GLOBAL)).toBe("{");
  });
});

describe("project settings that are not those on disk", () => {
  const path = "settings.json of abc";

  test("hold over the global ones, and none are the defaults", async () => {
    using folder = tempFolder();
    folder.write(GLOBAL, JSON.stringify({ maxConcurrency: 5, testCommand: "global" }));
    folder.write(PROJECT, JSON.stringify({ maxConcurrency: 9 }));
    const data = folder.path("data");
    const then = await loadSettingsWith({ text: '{"maxConcurrency":2}', path }, data);
    expect([then.settings.maxConcurrency, then.global.testCommand, then.problems]).toEqual([2, "global", []]);
    const none = await loadSettingsWith({ text: null, path }, data);
    expect([none.settings.maxConcurrency, none.problems]).toEqual([5, []]);
  });

  test("are validated the same way", async () => {
    using folder = tempFolder();
    const data = folder.path("data");
    const bad = await loadSettingsWith({ text: '{"maxConcurrency":"many","testCommand":"t"}', path }, data);
    expect(bad.project).toEqual({ testCommand: "t" });
    expect(bad.problems).toEqual([expect.stringMatching(/^settings\.json of abc:1:\d+: maxConcurrency: expected/)]);
    const cut = await loadSettingsWith({ text: '{"maxConcurrency":', path }, data);
    expect(cut.problems).toEqual([expect.stringContaining(path)]);
  });
});
