import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tempFolder } from "../../../system/src/testing/temp-folder.ts";
import { createFakeForge } from "./fake/index.ts";
import { forgeFor } from "./forge-for.ts";

const folder = tempFolder();
const dir = folder.path("forge.git");
beforeAll(async () => {
  await createFakeForge(dir);
  folder.write("plain.git/HEAD", "ref: refs/heads/main\n");
});
afterAll(() => folder[Symbol.dispose]());

const found = async (...args: Parameters<typeof forgeFor>) => (await forgeFor(...args))?.name ?? null;

test("a remote that is a fake forge is recognised by path, by address and from the project's folder", async () => {
  expect(await found(dir)).toBe("fake");
  expect(await found(pathToFileURL(dir).href)).toBe("fake");
  expect(await found("../forge.git", {}, { root: folder.path("project") })).toBe("fake");
});

test.for([
  null,
  "https://github.com/owner/name.git",
  "git@github.com:owner/name.git",
  "ssh://git@host/path",
  "file://host/elsewhere",
  "relative/path",
])("a project with the remote %s has no forge that we know", async (remote) => {
  expect(await found(remote, {}, { root: folder.dir })).toBeNull();
});

test("a bare repository without the forge's file is no forge", async () => {
  expect(await found(folder.path("plain.git"))).toBeNull();
});

test("the settings win over the remote", async () => {
  expect(await found("https://github.com/o/n.git", { forge: `fake:${dir}` })).toBe("fake");
  expect(await found(null, { forge: "fake:forge.git" }, { root: folder.dir })).toBe("fake");
  expect(await found(dir, { forge: "fake:" })).toBe("fake");
  expect(await found(dir, { forge: "none" })).toBeNull();
});

test.for([7, "", "fake", "gitea:x", "constructor:", "FAKE:/x", {}])(
  "the setting %j is refused with the allowed values",
  async (forge) => {
    const message = expect.stringContaining('use one of "fake:", "none"');
    await expect(forgeFor(dir, { forge })).rejects.toMatchObject({ kind: "invalid", message });
  },
);

test("a forge that the settings name and that is not there is an error, not a project without a forge", async () => {
  const nowhere = { forge: `fake:${folder.path("nowhere")}` };
  await expect(forgeFor(null, nowhere)).rejects.toMatchObject({ kind: "no-forge" });
  await expect(forgeFor(null, { forge: "fake:" })).rejects.toMatchObject({ kind: "no-forge" });
  await expect(forgeFor("git@host:x", { forge: "fake:" })).rejects.toMatchObject({ kind: "no-forge" });
});
