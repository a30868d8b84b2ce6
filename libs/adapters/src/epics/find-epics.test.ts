import { mkdirSync, symlinkSync } from "node:fs";
import { problemText } from "@anneal/core/epics";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../../../system/src/testing/temp-folder.ts";
import { findEpics } from "./find-epics.ts";
import { BUCKET_FILE, LIMITS, sampleEpic } from "./testing/sample-epic.ts";

const SMALL =
  "name: other\ntickets: [{name: a, description: x}, {name: b, description: y, critical: false, depends_on: [a]}]\n";

describe("the epics of a project", () => {
  test("are reported with what was understood of them, and nothing is written", async () => {
    using folder = sampleEpic(LIMITS, { "tickets/bucket.md": BUCKET_FILE, "notes.yaml": "x: 1\n" });
    folder.write(".epics/other/other.epic.yml", SMALL);
    const before = folder.files();
    const found = await findEpics(folder.dir);
    expect(found.map(({ file, counts, state, problems }) => ({ file, counts, state, problems }))).toEqual([
      {
        file: ".epics/limits/limits.epic.yaml",
        counts: { tickets: 4, critical: 3, dependencies: 4, criteria: 3, waves: 3, completed: 0 },
        state: null,
        problems: [],
      },
      {
        file: ".epics/other/other.epic.yml",
        counts: { tickets: 2, critical: 1, dependencies: 1, criteria: 0, waves: 2, completed: 0 },
        state: null,
        problems: [],
      },
    ]);
    expect(folder.files()).toEqual(before);
  });

  test("come with the status of an earlier run", async () => {
    const tickets = { config: { status: "completed" }, gone: { status: "completed" } };
    const state = { epic_id: "limits", baseline_commit: "b", epic_branch: "epic/limits", status: "executing", tickets };
    using folder = sampleEpic(LIMITS, { "artifacts/epic-state.json": JSON.stringify(state) });
    expect(await findEpics(folder.dir)).toMatchObject([
      { state: { status: "executing" }, counts: { completed: 1 }, problems: [] },
    ]);
  });

  test("that are broken are reported with file and line, along with the others", async () => {
    using folder = sampleEpic("name: limits\ntickets: [\n", {});
    folder.write(".epics/other/other.epic.yaml", SMALL);
    folder.write(".epics/other/artifacts/epic-state.json", '{\n  "epic_id": 1\n}');
    const found = await findEpics(folder.dir);
    expect(found.map(({ epic }) => epic?.id ?? null)).toEqual([null, "other"]);
    expect(found.flatMap(({ problems }) => problems.map(problemText))).toEqual([
      expect.stringMatching(/^\.epics\/limits\/limits\.epic\.yaml:3: it is not valid YAML: /),
      expect.stringMatching(
        /^\.epics\/other\/artifacts\/epic-state\.json:2: epic_id: expected string, received number.*; fix the file, restore an older copy, or move it away/s,
      ),
    ]);
  });

  test("that would share a branch or a state are reported", async () => {
    using folder = sampleEpic();
    folder.write(".epics/limits/second.epic.yaml", "name: second\ntickets: [{name: config, description: x}]\n");
    const found = await findEpics(folder.dir);
    expect(found.flatMap(({ problems }) => problems.map(problemText))).toEqual([
      ".epics/limits/second.epic.yaml:1: this epic would share artifacts/epic-state.json with .epics/limits/limits.epic.yaml: move one of them to another folder",
      ".epics/limits/second.epic.yaml:1: this epic and .epics/limits/limits.epic.yaml both have a ticket with the branch ticket/config: rename one of the tickets",
    ]);
  });

  test("do not exist in a project without .epics, with an empty one, or behind a link", async () => {
    using folder = tempFolder();
    expect(await findEpics(folder.dir)).toEqual([]);
    mkdirSync(folder.path(".epics"));
    expect(await findEpics(folder.dir)).toEqual([]);
    using outside = sampleEpic();
    symlinkSync(outside.path(".epics/limits"), folder.path(".epics/limits"));
    expect(await findEpics(folder.dir)).toEqual([]);
  });
});
