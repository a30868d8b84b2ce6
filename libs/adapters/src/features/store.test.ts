import { mkdirSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DamagedFile, InvalidChange, OutsideJail, VersionConflict } from "@anneal/system/files/errors";
import type { Feature } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { startChild } from "../../../system/src/testing/child.ts";
import { type TempFolder, tempFolder } from "../../../system/src/testing/temp-folder.ts";
import { onWritten } from "../files/json-file.ts";
import { InvalidFeatureId, MissingFeature } from "./folder.ts";
import { featureStore } from "./store.ts";
import { heldClock } from "./testing/held-clock.ts";

const AT = ".automaker/features";
const FEATURE = '{\n  "id": "f1",\n  "description": "d",\n  "status": "backlog",\n  "theirs": [1]\n}';

function withFeature(folder: TempFolder, id = "f1", text = FEATURE) {
  folder.write(`${AT}/${id}/feature.json`, text);
  return featureStore(folder.dir, { clock: heldClock(), random: () => 0.5 });
}

describe("making features", () => {
  test("a new feature gets an id of the time and nine letters, and lies in the backlog", async () => {
    using folder = tempFolder();
    const store = featureStore(folder.dir, { clock: heldClock(1_767_960_000_000), random: () => 0.5 });
    const made = await store.create({
      title: "T",
      description: "D",
      dependencies: ["f0"],
      skipTests: true,
      policy: "gate",
    });
    expect(made.id).toBe("feature-1767960000000-iiiiiiiii");
    expect(folder.files()).toEqual({
      [`${AT}/${made.id}/feature.json`]: `${JSON.stringify({ id: made.id, title: "T", category: "Uncategorized", description: "D", status: "backlog", dependencies: ["f0"], skipTests: true, policy: "gate" }, null, 2)}\n`,
    });
    expect(await store.get(made.id)).toEqual(made);
  });

  test("an id that is taken is not used again", async () => {
    using folder = tempFolder();
    const numbers = [...Array(9).fill(0), ...Array(9).fill(0), ...Array(9).fill(0.999)];
    const store = featureStore(folder.dir, { clock: heldClock(7), random: () => numbers.shift() ?? 0 });
    const ids = [
      await store.create({ title: "1", description: "" }),
      await store.create({ title: "2", description: "" }),
    ];
    expect(ids.map(({ id }) => id)).toEqual(["feature-7-000000000", "feature-7-zzzzzzzzz"]);
  });

  test("a value that is not valid is refused and leaves nothing", async () => {
    using folder = tempFolder();
    const store = featureStore(folder.dir, { clock: heldClock() });
    await expect(store.create({ title: "T", description: "D", priority: Number.NaN })).rejects.toThrow(InvalidChange);
    const flag = store.create({ title: "T", description: "D", model: "--attach=http://127.0.0.1:1/" });
    await expect(flag).rejects.toThrow(/model: a model's name consists of letters/);
    expect(folder.files()).toEqual({});
  });

  test.for([
    { failpoint: "feature.create.before", left: 0 },
    { failpoint: "feature.create.after", left: 1 },
  ])("a kill at $failpoint leaves $left whole features, and sweeping removes the rest", async ({ failpoint, left }) => {
    using folder = tempFolder();
    const script = fileURLToPath(new URL("./testing/creator.ts", import.meta.url));
    expect((await startChild(script, [folder.dir], { failpoint }).ended).signal).toBe("SIGKILL");
    const store = featureStore(folder.dir);
    await store.sweep();
    expect(await store.list()).toHaveLength(left);
    expect(Object.keys(folder.files())).toHaveLength(left);
  });
});

describe("listing", () => {
  test("a project without features has none, and nothing is made", async () => {
    using folder = tempFolder();
    expect(await featureStore(folder.dir).list()).toEqual([]);
    expect(folder.exists(".automaker")).toBe(false);
  });

  test("an entry is short: no spec, no plan, no diffs, but where its review stands", async () => {
    using folder = tempFolder();
    const codeReviewSpec = { status: "pending", currentIteration: 2, maxIterations: 3, iterations: [] };
    const feature = {
      id: "f1",
      title: "T",
      description: "d",
      spec: "s",
      planSpec: { status: "x" },
      codeReviewSpec,
      theirs: 1,
    };
    const store = withFeature(folder, "f1", JSON.stringify(feature));
    const review = { status: "pending", currentIteration: 2, maxIterations: 3 };
    expect(await store.list()).toEqual([
      { id: "f1", version: expect.any(String), feature: { id: "f1", title: "T", description: "d", review } },
    ]);
  });

  test("every folder is there, and a damaged one comes with its error", async () => {
    using folder = tempFolder();
    const store = withFeature(folder);
    folder.write(`${AT}/cut/feature.json`, '{\n  "id": "cut",');
    folder.write(`${AT}/status/feature.json`, '{"id":"status","description":"","status":"nonsense"}');
    folder.write(`${AT}/copy/feature.json`, FEATURE);
    folder.write(`${AT}/empty/notes.txt`, "");
    folder.write(`${AT}/not an id/feature.json`, FEATURE);
    folder.write("elsewhere/feature.json", FEATURE);
    folder.write(`${AT}/link-in/real.json`, FEATURE.replace("f1", "link-in"));
    symlinkSync("real.json", folder.path(`${AT}/link-in/feature.json`));
    mkdirSync(folder.path(`${AT}/link-out`));
    symlinkSync(folder.path("elsewhere/feature.json"), folder.path(`${AT}/link-out/feature.json`));
    symlinkSync(folder.path("elsewhere"), folder.path(`${AT}/linked`));
    folder.write(`${AT}/a-file.txt`, "");
    const before = folder.files();
    const entries = await store.list();
    const shown = entries.map((entry) => [
      entry.id,
      "damaged" in entry ? entry.damaged.replaceAll(`${folder.dir}/${AT}/`, "") : "ok",
    ]);
    expect(Object.fromEntries(shown)).toEqual({
      copy: 'copy/feature.json:2:9: id: expected "copy", the name of its folder',
      cut: "cut/feature.json:2:15: the file ends too early",
      empty:
        "empty/feature.json does not exist: restore the file, or remove its folder (anneal add creates new features)",
      f1: "ok",
      "link-in": "ok",
      "link-out": expect.stringMatching("^link-out/feature.json was not touched: it leads out of"),
      linked: "linked is a symbolic link, but a feature must be a real folder",
      "not an id": 'not an id/feature.json:2:9: id: expected "not an id", the name of its folder',
      status: expect.stringContaining('status/feature.json:1:42: status: expected one of "backlog"'),
    });
    expect(entries.map(({ id }) => id)).toEqual(entries.map(({ id }) => id).toSorted());
    expect(folder.files()).toEqual(before);
  });
});

describe("ids", () => {
  const ids = [
    "../../victim",
    "..",
    ".",
    "",
    "a/b",
    "a\\b",
    "/etc",
    "a\0b",
    "-a/../..",
    ".hidden",
    "a..b",
    "x".repeat(129),
  ];
  test.for(ids)("%o is refused by everything and nothing is touched", async (id) => {
    using folder = tempFolder();
    folder.write("victim/feature.json", FEATURE);
    const store = withFeature(folder);
    const before = folder.files();
    const calls = [
      store.get(id),
      store.update(id, (feature) => ({ ...feature, title: "x" })),
      store.restoreStatus(id, "backlog"),
      store.remove(id),
      store.record(id, [{ iteration: 1, review: "x" }]),
      store.readReview(id, 1),
      store.listReviews(id),
      store.record(id, [{ iteration: 1, output: "x" }]),
      store.record(id, [{ step: "s", output: "x" }]),
      store.readAgentOutput(id),
    ];
    for (const call of await Promise.allSettled(calls)) {
      expect(call.status === "rejected" && call.reason).toBeInstanceOf(InvalidFeatureId);
    }
    expect(folder.files()).toEqual(before);
  });

  test("a folder that is a link is refused and nothing behind it is touched", async () => {
    using folder = tempFolder();
    folder.write("victim/feature.json", FEATURE.replace("f1", "victim"));
    const store = withFeature(folder);
    symlinkSync(folder.path("victim"), folder.path(`${AT}/victim`));
    const calls = [
      store.get("victim"),
      store.remove("victim"),
      store.record("victim", [{ iteration: 1, review: "x" }]),
    ];
    for (const call of await Promise.allSettled(calls)) {
      expect(call.status === "rejected" && call.reason).toBeInstanceOf(OutsideJail);
    }
    expect(Object.keys(folder.files())).toEqual([`${AT}/f1/feature.json`, "victim/feature.json"]);
  });
});

describe("changing features", () => {
  test("only the changed key differs in the file", async () => {
    using folder = tempFolder();
    const store = withFeature(folder);
    const updated = await store.update("f1", (feature) => ({ ...feature, status: "in_progress" }));
    expect(updated).toMatchObject({ id: "f1", changed: true, feature: { status: "in_progress", theirs: [1] } });
    expect(folder.read(`${AT}/f1/feature.json`)).toBe(FEATURE.replace("backlog", "in_progress"));
    expect(await store.get("f1")).toMatchObject({ version: updated.version });
  });

  test("an old version is a conflict, an unknown feature is missing, a damaged one stays as it is", async () => {
    using folder = tempFolder();
    const store = withFeature(folder);
    folder.write(`${AT}/cut/feature.json`, "{");
    const touch = (id: string, ifVersion?: string) =>
      store.update(id, (feature) => ({ ...feature, title: "x" }), ifVersion === undefined ? {} : { ifVersion });
    await expect(touch("f1", "old")).rejects.toThrow(VersionConflict);
    await expect(touch("f2")).rejects.toThrow(MissingFeature);
    await expect(touch("cut")).rejects.toThrow(DamagedFile);
    expect(folder.read(`${AT}/cut/feature.json`)).toBe("{");
  });

  test("a feature cannot be given another id", async () => {
    using folder = tempFolder();
    const store = withFeature(folder);
    await expect(store.update("f1", (feature) => ({ ...feature, id: "f2" }))).rejects.toThrow(InvalidChange);
  });

  test("a status that does not exist can be put right, and any other damage not", async () => {
    using folder = tempFolder();
    const store = withFeature(folder, "f1", FEATURE.replace("backlog", "nonsense"));
    await store.restoreStatus("f1", "code_review");
    expect(folder.read(`${AT}/f1/feature.json`)).toBe(FEATURE.replace("backlog", "code_review"));
    folder.write(`${AT}/f1/feature.json`, '{"id":"f1","status":"nonsense"}');
    await expect(store.restoreStatus("f1", "backlog")).rejects.toThrow(DamagedFile);
  });

  test("20 concurrent updates over two stores of one project, in 10 bursts, are all kept", async () => {
    using folder = tempFolder();
    const stores = [withFeature(folder), featureStore(join(folder.dir, "."))];
    for (let burst = 0; burst < 10; burst++) {
      const keys = Array.from({ length: 20 }, (_, index) => `k${burst}-${index}`);
      await Promise.all(
        keys.map((key, index) => stores[index % 2]?.update("f1", (feature) => ({ ...feature, [key]: true }))),
      );
    }
    expect(Object.keys(JSON.parse(folder.read(`${AT}/f1/feature.json`)))).toHaveLength(204);
  });
});

describe("the files next to feature.json", () => {
  test("reviews and outputs have their iteration in the name, and the latest output is agent-output.md", async () => {
    using folder = tempFolder();
    const store = withFeature(folder);
    await store.record("f1", [
      { iteration: 1, output: "one" },
      { iteration: 1, review: "# review 1" },
      { iteration: 10, output: "ten" },
    ]);
    await store.record("f1", [{ iteration: 2, output: "two" }]);
    expect(folder.files()).toEqual({
      [`${AT}/f1/feature.json`]: FEATURE,
      [`${AT}/f1/agent-output-iteration-1.md`]: "one",
      [`${AT}/f1/agent-output-iteration-2.md`]: "two",
      [`${AT}/f1/agent-output-iteration-10.md`]: "ten",
      [`${AT}/f1/agent-output.md`]: "ten",
      [`${AT}/f1/code-review-iteration-1.md`]: "# review 1",
    });
    expect(await store.readReview("f1", 1)).toBe("# review 1");
    expect(await store.readReview("f1", 2)).toBeNull();
    expect(await store.readAgentOutput("f1", 1)).toBe("one");
    expect(await store.readAgentOutput("f1")).toBe("ten");
  });

  test("what a pipeline step's agent said has a file of its own, whatever the step is called, and is the latest", async () => {
    using folder = tempFolder();
    const store = withFeature(folder);
    await store.record("f1", [
      { iteration: 1, output: "one" },
      { step: "step_lint", output: "linted" },
      { step: "../../up and away", output: "gone" },
    ]);
    expect(folder.files()).toEqual({
      [`${AT}/f1/feature.json`]: FEATURE,
      [`${AT}/f1/agent-output-iteration-1.md`]: "one",
      [`${AT}/f1/agent-output-pipeline-step_lint.md`]: "linted",
      [`${AT}/f1/agent-output-pipeline-..%2F..%2Fup%20and%20away.md`]: "gone",
      [`${AT}/f1/agent-output.md`]: "gone",
    });
    await store.record("f1", [{ step: "x".repeat(400), output: "long" }]);
    expect(await store.readAgentOutput("f1")).toBe("long");
  });

  test("what Automaker's agents said stays in a file next to it, however often they and ours take turns", async () => {
    using folder = tempFolder();
    const store = withFeature(folder);
    const latest = `${AT}/f1/agent-output.md`;
    const earlier = () => folder.files()[`${AT}/f1/agent-output-earlier.md`];
    folder.write(latest, "theirs");
    await store.record("f1", [{ iteration: 1, output: "one" }]);
    await store.record("f1", [{ step: "lint", output: "linted" }]);
    await store.record("f1", [{ iteration: 2, output: "two" }]);
    expect([folder.read(latest), earlier()]).toEqual(["two", "theirs"]);
    folder.write(latest, "two, and more of theirs");
    await store.record("f1", [{ iteration: 2, output: "two" }]);
    await store.record("f1", [{ iteration: 3, output: "three" }]);
    expect([folder.read(latest), earlier()]).toEqual(["three", "theirs\n\n---\n\ntwo, and more of theirs"]);
  });

  test("the reviews that are there are listed in order", async () => {
    using folder = tempFolder();
    const store = withFeature(folder);
    expect(await store.listReviews("f1")).toEqual([]);
    for (const iteration of [10, 2, 1]) await store.record("f1", [{ iteration, review: "x" }]);
    folder.write(`${AT}/f1/code-review-iteration-0.md`, "no iteration");
    folder.write(`${AT}/f1/code-review-iteration-3.md.tmp`, "no review");
    expect(await store.listReviews("f1")).toEqual([1, 2, 10]);
  });

  test("are written before feature.json names them, left alone where they hold their text, and kept where it is damaged", async () => {
    using folder = tempFolder();
    const store = withFeature(folder);
    const inode = () => statSync(folder.path(`${AT}/f1/code-review-iteration-1.md`)).ino;
    const change = (feature: Feature) => ({ ...feature, status: "code_review" as const });
    let seen: string[] = [];
    const stop = onWritten(() => {
      seen = Object.keys(folder.files());
    });
    await store.record("f1", [{ iteration: 1, review: "# review 1" }], change);
    stop();
    expect(seen).toContain(`${AT}/f1/code-review-iteration-1.md`);
    expect(await store.get("f1")).toMatchObject({ feature: { status: "code_review" } });
    const first = inode();
    await store.record("f1", [{ iteration: 1, review: "# review 1" }], (feature) => ({
      ...feature,
      status: "verified",
    }));
    expect(inode()).toBe(first);
    expect(await store.get("f1")).toMatchObject({ feature: { status: "verified" } });
    folder.write(`${AT}/f1/feature.json`, "{");
    const damaged = store.record("f1", [{ iteration: 1, review: "# other" }], change);
    await expect(damaged).rejects.toThrow("feature.json");
    expect(folder.files()).toEqual({
      [`${AT}/f1/feature.json`]: "{",
      [`${AT}/f1/code-review-iteration-1.md`]: "# other",
      ".automaker/anneal-files.lock": "",
    });
  });

  test("follow a link within the folder, and none that leads out of it", async () => {
    using folder = tempFolder();
    const store = withFeature(folder);
    folder.write(`${AT}/f1/deep/review`, "old");
    folder.write("outside", "theirs");
    symlinkSync("deep/review", folder.path(`${AT}/f1/code-review-iteration-1.md`));
    symlinkSync(folder.path("outside"), folder.path(`${AT}/f1/code-review-iteration-2.md`));
    await store.record("f1", [{ iteration: 1, review: "new" }]);
    await expect(store.record("f1", [{ iteration: 2, review: "new" }])).rejects.toBeInstanceOf(OutsideJail);
    expect([folder.read(`${AT}/f1/deep/review`), folder.read("outside")]).toEqual(["new", "theirs"]);
  });

  test.for([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])("%o is no iteration", async (iteration) => {
    using folder = tempFolder();
    const store = withFeature(folder);
    await expect(store.record("f1", [{ iteration, review: "x" }])).rejects.toThrow(RangeError);
    await expect(store.record("f1", [{ iteration, output: "x" }])).rejects.toThrow(RangeError);
    expect(Object.keys(folder.files())).toEqual([`${AT}/f1/feature.json`]);
  });
});

describe("some of the features", () => {
  test.for([
    { named: ["f2", "f1", "f2"], ids: ["f1", "f2"] },
    { named: ["gone", "f1"], ids: ["f1"] },
    { named: ["file", "", ".", "..", "../features/f1", "a\0b", "x".repeat(300)], ids: [] },
    { named: ["link", "damaged"], ids: ["damaged", "link"] },
  ])("of $named are there $ids", async ({ named, ids }) => {
    using folder = tempFolder();
    const store = withFeature(folder);
    withFeature(folder, "f2", FEATURE.replace("f1", "f2"));
    withFeature(folder, "damaged", "{");
    folder.write(`${AT}/file`, "");
    symlinkSync("f1", folder.path(`${AT}/link`));
    const all = await store.list();
    expect(all.map(({ id }) => id)).toEqual(["damaged", "f1", "f2", "link"]);
    expect((await store.ids()).sort()).toEqual(["damaged", "f1", "f2", "link"]);
    expect(await store.list(named)).toEqual(all.filter(({ id }) => ids.includes(id)));
  });

  test("are swept of what a killed process left", async () => {
    using folder = tempFolder();
    const store = withFeature(folder);
    withFeature(folder, "f2", FEATURE.replace("f1", "f2"));
    const left = (id: string) => `${AT}/${id}/.feature.json.4194304-0123456789ab.tmp`;
    for (const id of ["f1", "f2"]) folder.write(left(id), "");
    await store.sweep(["f1", "gone"]);
    expect(Object.keys(folder.files()).filter((path) => path.endsWith(".tmp"))).toEqual([left("f2")]);
  });
});

describe("removing", () => {
  test("the whole folder goes, the others stay, and a second time there is nothing to remove", async () => {
    using folder = tempFolder();
    const store = withFeature(folder);
    withFeature(folder, "f2", FEATURE.replace("f1", "f2"));
    folder.write(`${AT}/f1/images/a.png`, "x");
    expect([await store.remove("f1"), await store.remove("f1")]).toEqual([true, false]);
    expect(Object.keys(folder.files())).toEqual([`${AT}/f2/feature.json`]);
  });
});

describe("the project's own pipeline", () => {
  const step = (id: string, order: number) => ({ id, name: id, order, instructions: "" });
  test("its steps come in their order", async () => {
    using folder = tempFolder();
    const steps = [step("b", 2), step("a", 1), step("c", 2)];
    folder.write(".automaker/pipeline.json", JSON.stringify({ version: 1, steps }));
    expect((await featureStore(folder.dir).pipeline()).map(({ id }) => id)).toEqual(["a", "b", "c"]);
  });

  test("a missing file means no steps", async () => {
    using folder = tempFolder();
    expect(await featureStore(folder.dir).pipeline()).toEqual([]);
  });

  test.for([
    { name: "cut", text: '{"version":1', says: "1:13: the file ends too early" },
    { name: "of an unknown version", text: '{"version":2,"steps":[]}', says: "1:12: version: expected 1" },
    {
      name: "with one id twice",
      text: JSON.stringify({ version: 1, steps: [step("a", 1), step("a", 2)] }),
      says: "1:22: steps: expected every step to have an id of its own",
    },
  ])("a file $name is a named error", async ({ text, says }) => {
    using folder = tempFolder();
    const path = folder.write(".automaker/pipeline.json", text);
    const pipeline = featureStore(folder.dir).pipeline();
    await expect(pipeline).rejects.toThrow(DamagedFile);
    await expect(pipeline).rejects.toThrow(`${path}:${says}`);
  });
});
