import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { tempFolder } from "../../../../system/src/testing/temp-folder.ts";
import { forgeContract } from "../../testing/forge-contract.ts";
import { createFakeForge, isFakeForge, openFakeForge } from "./index.ts";

function git(dir: string, ...args: string[]): { status: number | null; stdout: string } {
  return spawnSync("git", args, { cwd: dir, encoding: "utf8" });
}

let seconds = 1_800_000_000;
/** Moves on with every look at it, so that no two things happen at the same time. */
const clock = { now: () => 1_000 * ++seconds, sleep: async () => {} };

forgeContract("the fake forge", async () => {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "anneal-forge-")));
  const forge = await createFakeForge(dir, { clock });
  return {
    ...forge,
    forge,
    again: () => openFakeForge(dir, { clock }),
    now: clock.now,
    namesConflicts: true,
    fileAt: async (branch, path) => {
      const { status, stdout } = git(dir, "show", `refs/heads/${branch}:${path}`);
      return status === 0 ? stdout : null;
    },
    close: async () => rmSync(dir, { recursive: true, force: true }),
  };
});

test("making a fake forge where one is keeps what is there", async () => {
  using folder = tempFolder();
  const first = await createFakeForge(folder.path("forge.git"), { me: "robot" });
  await first.setUser("ada", "admin");
  const again = await createFakeForge(folder.path("forge.git"), { me: "other" });
  expect([await again.me(), await again.permission("ada")]).toEqual(["robot", "admin"]);
});

test("of several that make the same forge at once, all get the same, and nothing that was said is lost", async () => {
  using folder = tempFolder();
  const names = Array.from({ length: 8 }, (_, n) => `robot-${n}`);
  const made = await Promise.all(
    names.map(async (me) => {
      const forge = await createFakeForge(folder.path("forge.git"), { me });
      await forge.setUser(`friend of ${me}`, "read");
      return forge.me();
    }),
  );
  expect(new Set(made).size).toBe(1);
  const forge = await openFakeForge(folder.path("forge.git"));
  for (const me of names) expect(await forge.permission(`friend of ${me}`)).toBe("read");
});

test("a pull request that is taken away is not found, and its number is not given again", async () => {
  using folder = tempFolder();
  const forge = await createFakeForge(folder.path("forge.git"));
  const ada = forge.as("ada");
  await ada.push("main", { "a.txt": "a\n" });
  for (const branch of ["one", "two"]) await ada.push(branch, { [branch]: "\n" }, "main");
  const open = (branch: string) =>
    forge.open({ key: branch, branch, base: "main", title: "T", body: "", draft: false });
  await open("one");
  await forge.removePull(1);
  await expect(forge.get(1)).rejects.toMatchObject({ kind: "not-found" });
  expect((await open("two")).pull.number).toBe(2);
  expect((await open("one")).pull.number).toBe(3);
});

test("a work tree is not turned into a forge", async () => {
  using folder = tempFolder();
  folder.write("project/.git/HEAD", "ref: refs/heads/main\n");
  await expect(createFakeForge(folder.path("project"))).rejects.toMatchObject({ kind: "invalid" });
  expect(Object.keys(folder.files())).toEqual(["project/.git/HEAD"]);
});

test("a bare repository with pushed branches becomes a forge without losing any", async () => {
  using folder = tempFolder();
  const forge = await createFakeForge(folder.path("forge.git"));
  const head = await forge.as("ada").push("main", { "a b/ü.txt": "text\n" });
  expect(git(forge.dir, "rev-parse", "main").stdout.trim()).toBe(head);
  expect(git(forge.dir, "fsck", "--strict").status).toBe(0);
  expect(git(folder.dir, "clone", "--quiet", forge.dir, "clone").status).toBe(0);
  expect(folder.read("clone/a b/ü.txt")).toBe("text\n");
});

test("a merge commit has both parents and the message, a squash just the base", async () => {
  using folder = tempFolder();
  const forge = await createFakeForge(folder.path("forge.git"));
  const base = await forge.as("ada").push("main", { a: "1\n" });
  const parents: string[] = [];
  for (const method of ["merge", "squash"] as const) {
    const head = await forge.as("ada").push(method, { [method]: "new\n" }, "main");
    const request = { key: method, branch: method, base: "main", title: "t", body: "b", draft: false };
    const { pull } = await forge.open(request);
    await forge.merge(pull.number, { method, expectedHead: head, message: `By ${method}\n` });
    parents.push(git(forge.dir, "log", "-1", "--format=%P %s", "main").stdout.trim());
    if (method === "merge") expect(parents).toEqual([`${base} ${head} By merge`]);
  }
  expect(parents[1]).toMatch(/^[0-9a-f]{40} By squash$/);
});

test.for([
  { what: "closed any more", act: "close" },
  { what: "taken up by another key", act: "open" },
])("one whose head has come to the base another way is not $what", async ({ act }) => {
  using folder = tempFolder();
  const forge = await createFakeForge(folder.path("forge.git"));
  await forge.as("ada").push("main", { a: "1\n" });
  const head = await forge.as("ada").push("topic", { b: "1\n" }, "main");
  const request = { key: "k", branch: "topic", base: "main", title: "t", body: "", draft: false };
  await forge.open(request);
  git(forge.dir, "update-ref", "refs/heads/main", head);
  await forge.as("ada").push("main", { c: "1\n" });
  if (act === "close") await forge.as("ada").close(1);
  else await forge.open({ ...request, key: "another" });
  expect(await forge.get(1)).toMatchObject({ state: "merged", key: "k", mergeCommit: head });
});

test("one whose branch is put back to the base is not merged by that", async () => {
  using folder = tempFolder();
  const forge = await createFakeForge(folder.path("forge.git"));
  const base = await forge.as("ada").push("main", { a: "1\n" });
  await forge.as("ada").push("topic", { b: "1\n" }, "main");
  await forge.open({ key: "k", branch: "topic", base: "main", title: "t", body: "", draft: false });
  git(forge.dir, "update-ref", "refs/heads/topic", base);
  expect(await forge.get(1)).toMatchObject({ state: "open", head: { sha: base } });
  const merged = await forge.merge(1, { method: "merge", expectedHead: base });
  expect(merged).toMatchObject({ result: "not-mergeable", reason: "main already contains topic" });
});

test("an account cannot approve its own pull request, and this forge cannot rebase", async () => {
  using folder = tempFolder();
  const forge = await createFakeForge(folder.path("forge.git"));
  await forge.as("ada").push("main", { a: "1\n" });
  const head = await forge.as("ada").push("topic", { b: "1\n" }, "main");
  const { pull } = await forge.open({ key: "k", branch: "topic", base: "main", title: "t", body: "", draft: false });
  const review = { key: "r", head, verdict: "approve", body: "me" } as const;
  await expect(forge.review(pull.number, review)).rejects.toMatchObject({ kind: "invalid" });
  const rebase = await forge.merge(pull.number, { method: "rebase", expectedHead: head });
  expect(rebase).toMatchObject({ result: "not-mergeable", reason: expect.stringContaining("rebase") });
});

test("what broke while the forge's repository was away, or was cleaned up since, is no answer for later", async () => {
  using folder = tempFolder();
  const forge = await createFakeForge(folder.path("forge.git"), { clock });
  await forge.as("ada").push("main", { a: "1\n" });
  const head = await forge.as("ada").push("topic", { b: "1\n" }, "main");
  await forge.open({ key: "k", branch: "topic", base: "main", title: "t", body: "", draft: false });
  await forge.as("ada").push("main", { c: "1\n" });
  const objects = folder.path("forge.git/objects");
  renameSync(objects, folder.path("away"));
  await expect(forge.get(1)).rejects.toThrow();
  renameSync(folder.path("away"), objects);
  expect(await forge.get(1)).toMatchObject({ mergeability: "clean" });
  // The tree that the merge would make is held by nothing yet.
  git(forge.dir, "gc", "--quiet", "--prune=now");
  expect(await forge.merge(1, { method: "merge", expectedHead: head })).toMatchObject({ result: "merged" });
});

describe("a lock that a killed git left in the forge's repository", () => {
  async function locked() {
    const folder = tempFolder();
    onTestFinished(() => folder[Symbol.dispose]());
    const forge = await createFakeForge(folder.path("forge.git"), { clock });
    await forge.as("ada").push("main", { a: "1\n" });
    const head = await forge.as("ada").push("topic", { b: "1\n" }, "main");
    const { pull } = await forge.open({ key: "k", branch: "topic", base: "main", title: "t", body: "", draft: false });
    const lock = join(forge.dir, "HEAD.lock");
    writeFileSync(lock, "");
    return { forge, lock, merge: () => forge.merge(pull.number, { method: "merge", expectedHead: head }) };
  }

  test("is taken away where it was a git of ours, and the merge goes on", async () => {
    const { forge, lock, merge } = await locked();
    const killed = { pid: 2 ** 22 + 1, start: "1", sinceMs: Date.now() - 60_000 };
    writeFileSync(join(forge.dir, "anneal-git.json"), JSON.stringify(killed));
    expect(await merge()).toMatchObject({ result: "merged" });
    expect(existsSync(lock)).toBe(false);
  });

  test("is known by its name where nobody knows whose it is, and never as a base that others move", async () => {
    const { lock, merge } = await locked();
    const message = `another git holds ${lock}: wait until it ends, or remove the file if no git is running`;
    await expect(merge()).rejects.toMatchObject({ kind: "locked", message });
    rmSync(lock);
    expect(await merge()).toMatchObject({ result: "merged" });
  });
});

test.for([
  { what: "no JSON", text: "{ not json", kind: "damaged" },
  { what: "of another shape", text: '{"version":7}', kind: "damaged" },
  { what: "an array", text: "[]", kind: "damaged" },
])("a state file that is $what is an error that names it, and is never overwritten", async ({ text, kind }) => {
  using folder = tempFolder();
  const forge = await createFakeForge(folder.path("forge.git"));
  await forge.as("ada").push("main", { a: "1\n" });
  const file = join(forge.dir, "anneal-fake-forge.json");
  writeFileSync(file, text);
  const calls = [
    () => forge.me(),
    () => forge.open({ key: "k", branch: "main", base: "main", title: "", body: "", draft: false }),
    () => forge.setUser("x", "read"),
  ];
  for (const call of calls) {
    const message = expect.stringContaining("anneal-fake-forge.json");
    await expect(call()).rejects.toMatchObject({ name: "ForgeError", kind, message });
  }
  expect(readFileSync(file, "utf8")).toBe(text);
  rmSync(file);
  await expect(forge.me()).rejects.toMatchObject({ kind: "no-forge" });
  expect(await isFakeForge(forge.dir)).toBe(false);
  await expect(openFakeForge(forge.dir)).rejects.toMatchObject({ kind: "no-forge" });
});
