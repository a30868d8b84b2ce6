import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { featureStore } from "@anneal/adapters/features";
import { openRepo } from "@anneal/git";
import { expect, test } from "vitest";
import { makeRepo, type TestRepo } from "../../../git/src/testing/make-repo.ts";
import { logFolderOf, openBlobs, openStore } from "../log/index.ts";
import { collectGarbage } from "../project.ts";

const clock = { now: () => Date.now(), sleep: async () => {} };
const ENGINE = new URL("../project.ts", import.meta.url).href;
const FEATURES = import.meta.resolve("@anneal/adapters/features");
const GIT = import.meta.resolve("@anneal/git");

function killedAt(point: string, dir: string, script: string): string | null {
  const clockThere = "const clock = { now: () => Date.now(), sleep: async () => {} };";
  const args = ["--input-type=module", "-e", `${clockThere}\n${script}`];
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return spawnSync(process.execPath, args, { env: { PATH, NODE_COMPILE_CACHE, HOME: dir, ANNEAL_FAILPOINT: point } })
    .signal;
}

test.for(["blob.remove.before", "blob.remove.after"])(
  "garbage that was being collected when the process died at %s is collected by the next one",
  async (point) => {
    using repo = makeRepo({ "README.md": "hello\n", ".gitignore": ".automaker/\n" });
    const blobs = openBlobs(repo, { clock });
    openStore(repo, { clock }).close();
    for (const text of ["one", "two"]) makeOld(repo, blobs.put(text));
    const kept = blobs.put("young");
    const script = `const { collectGarbage } = await import(${JSON.stringify(ENGINE)});
      const { openRepo } = await import(${JSON.stringify(GIT)});
      await collectGarbage(await openRepo(${JSON.stringify(repo.dir)}), { clock, dryRun: false });`;
    expect(killedAt(point, repo.dir, script)).toBe("SIGKILL");
    expect(await collectGarbage(await openRepo(repo.dir), { clock, dryRun: false })).not.toBeNull();
    const left = readdirSync(logFolderOf(repo).blobs, { recursive: true, withFileTypes: true });
    expect(left.filter((entry) => entry.isFile()).map(({ name }) => name)).toEqual([kept.slice(2)]);
  },
);

function makeOld(repo: TestRepo, hash: string): void {
  utimesSync(join(logFolderOf(repo).blobs, hash.slice(0, 2), hash.slice(2)), 1, 1);
}

test.for(["feature.remove.before", "feature.remove.after"])(
  "a feature whose removal died at %s is there whole or gone, and gone when it is removed again",
  async (point) => {
    using repo = makeRepo({ "README.md": "hello\n" });
    const folder = join(repo.dir, ".automaker/features/f1");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "feature.json"), '{ "id": "f1", "description": "Users log in." }\n');
    const script = `const { featureStore } = await import(${JSON.stringify(FEATURES)});
      await featureStore(${JSON.stringify(repo.dir)}, { clock }).remove("f1");`;
    expect(killedAt(point, repo.dir, script)).toBe("SIGKILL");
    expect(existsSync(join(folder, "feature.json"))).toBe(point.endsWith("before"));
    const features = featureStore(repo.dir, { clock });
    await features.sweep();
    await features.remove("f1");
    expect(readdirSync(join(repo.dir, ".automaker"), { recursive: true })).toEqual(["features"]);
  },
);
