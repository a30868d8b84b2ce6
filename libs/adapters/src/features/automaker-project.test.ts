import { describe, expect, test } from "vitest";
import { tempFolder } from "../../../system/src/testing/temp-folder.ts";
import { globalSettings, loadSettings, projectSettings, updateSettings } from "../files/settings.ts";
import { loadProjectContext } from "./context.ts";
import { featureStore } from "./store.ts";
import { writeAutomakerProject } from "./testing/automaker-project.ts";

const LOCKS = ["data/anneal-files.lock", "project/.automaker/anneal-files.lock"];

describe("a project that Automaker left in the middle of its work", () => {
  test("opens without a problem and without a byte changed", async () => {
    using folder = tempFolder();
    const { root, dataDir, ids } = writeAutomakerProject(folder);
    const before = folder.files();
    const store = featureStore(root);
    const entries = await store.list();
    expect(entries.map(({ id }) => id)).toEqual(ids);
    expect(entries.filter((entry) => "damaged" in entry)).toEqual([]);
    for (const id of ids) expect(await store.get(id)).toHaveProperty("feature.id", id);
    expect((await store.pipeline()).map(({ id }) => id)).toEqual(["step_lint", "step_docs"]);
    expect(await store.readAgentOutput(ids[0] ?? "")).toBe("I sorted the shelf.\n");
    const { settings, problems } = await loadSettings(root, dataDir);
    expect(problems).toEqual([]);
    expect(settings).toMatchObject({
      maxConcurrency: 5,
      promptCustomization: { codeReview: { reviewSystemPrompt: { value: "Mind the shelf." } }, autoMode: {} },
    });
    expect((await loadProjectContext(root)).context.files.map(({ path }) => path)).toEqual([
      ".automaker/context/rules.md",
    ]);
    expect(folder.files()).toEqual(before);
  });

  test("changes of ours differ from it in the changed keys only, to the byte", async () => {
    using folder = tempFolder();
    const { root, dataDir, ids } = writeAutomakerProject(folder);
    const before = folder.files();
    const store = featureStore(root);
    const [first = "", second = ""] = ids;
    await store.update(first, (feature) => ({ ...feature, status: "code_review" }));
    await store.update(second, (feature) => ({ ...feature, status: "verified", policy: "gate" }));
    await updateSettings(projectSettings(root), (settings) => ({ ...settings, maxConcurrency: 2 }));
    await updateSettings(globalSettings(dataDir), (settings) => ({ ...settings, maxConcurrency: 8 }));
    const at = (id: string) => `project/.automaker/features/${id}/feature.json`;
    const { [LOCKS[0] ?? ""]: _data, [LOCKS[1] ?? ""]: _project, ...after } = folder.files();
    expect(after).toEqual({
      ...before,
      [at(first)]: before[at(first)]?.replace('"status": "in_progress"', '"status": "code_review"'),
      [at(second)]: before[at(second)]
        ?.replace('"status": "waiting_approval"', '"status": "verified"')
        .replace(/\n\}$/, ',\n  "policy": "gate"\n}'),
      "project/.automaker/settings.json": before["project/.automaker/settings.json"]?.replace(
        /\n\}$/,
        ',\n  "maxConcurrency": 2\n}',
      ),
      "data/settings.json": before["data/settings.json"]?.replace('"maxConcurrency": 5', '"maxConcurrency": 8'),
    });
  });

  test("keys that are added and taken away again leave the same bytes", async () => {
    using folder = tempFolder();
    const { root, ids } = writeAutomakerProject(folder);
    const before = folder.files();
    const store = featureStore(root);
    for (const id of ids) {
      await store.update(id, (feature) => ({ ...feature, spec: "s", ours: { list: [1] } }));
      const { changed } = await store.update(id, ({ spec: _spec, ours: _ours, ...feature }) => feature);
      expect(changed).toBe(true);
    }
    const { [LOCKS[1] ?? ""]: _lock, ...after } = folder.files();
    expect(after).toEqual(before);
  });
});
