import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openBlobs } from "./blobs.ts";
import { keepRuntimeFilesOut } from "./ignore-file.ts";
import { MIGRATIONS } from "./migrations.ts";
import { becomeOwner } from "./owner.ts";
import { startChild } from "./testing/child.ts";
import { inFolder, openFor, projectWithLog, tempProject } from "./testing/project.ts";

const OURS = "/anneal.db*\n/anneal.lock*\n/anneal.owner.json\n/blobs/\n*.anneal-tmp\n/anneal-files.lock*\n.*.tmp\n";

test("whatever the engine leaves in a repository, git sees nothing of it", () => {
  const root = projectWithLog();
  execFileSync("git", ["init", "-q"], { cwd: root });
  const owner = becomeOwner(root);
  openFor(root, { migrations: [...MIGRATIONS, "CREATE TABLE more (n)"] });
  openBlobs(root, { clock: { now: () => 0 } }).put("hello");
  writeFileSync(inFolder(root, ".gitignore.1-2.anneal-tmp"), "");
  const seen = execFileSync("git", ["status", "--porcelain", "-uall"], { cwd: root, encoding: "utf8" });
  expect(readdirSync(join(root, ".automaker")).length).toBeGreaterThan(7);
  expect(seen).toBe("");
  owner?.release();
});

describe("the ignore file", () => {
  test.for([
    ["is made where there is none, and hides itself", null, `/.gitignore\n${OURS}`],
    ["is filled where it is empty", "", OURS],
    ["keeps foreign lines", "*.log\n!keep.log\n", `*.log\n!keep.log\n${OURS}`],
    ["gets a line end where the last line has none", "*.log", `*.log\n${OURS}`],
    [
      "gets only what it lacks",
      "/blobs/\r\n# ours\r\n/anneal.db*\r\n",
      "/blobs/\r\n# ours\r\n/anneal.db*\r\n/anneal.lock*\n/anneal.owner.json\n*.anneal-tmp\n/anneal-files.lock*\n.*.tmp\n",
    ],
    ["keeps bytes that are not UTF-8", "\xff\xfe\n", `\xff\xfe\n${OURS}`],
  ] as const)("%s", ([, before, after]) => {
    const root = tempProject();
    const path = inFolder(root, ".gitignore");
    if (before !== null) writeFileSync(path, before, "latin1");
    keepRuntimeFilesOut(root);
    expect(readFileSync(path, "latin1")).toBe(after);
  });

  test.for([
    ["is made where there is none", null, OURS],
    ["is shown where it hid itself", `/.gitignore\n${OURS}*.log\n`, `${OURS}*.log\n`],
    ["keeps foreign lines", "*.log\n", `*.log\n${OURS}`],
  ] as const)("for those who commit it %s", ([, before, after]) => {
    const root = tempProject();
    const path = inFolder(root, ".gitignore");
    if (before !== null) writeFileSync(path, before);
    keepRuntimeFilesOut(root, "shown");
    expect(readFileSync(path, "utf8")).toBe(after);
  });

  test("is not written again when nothing is missing", () => {
    const root = tempProject();
    keepRuntimeFilesOut(root);
    const { ino } = statSync(inFolder(root, ".gitignore"));
    keepRuntimeFilesOut(root);
    expect(statSync(inFolder(root, ".gitignore")).ino).toBe(ino);
  });

  test.for([
    ["gitignore.write.before", "*.log"],
    ["gitignore.rename.before", "*.log"],
    ["gitignore.rename.after", `*.log\n${OURS}`],
  ] as const)("killed at %s is whole: %j", async ([point, content]) => {
    const root = tempProject();
    writeFileSync(inFolder(root, ".gitignore"), "*.log");
    const child = startChild("opener", [], { ANNEAL_FAILPOINT: point });
    child.send(root);
    expect((await child.end()).signal).toBe("SIGKILL");
    expect(readFileSync(inFolder(root, ".gitignore"), "utf8")).toBe(content);
    expect(existsSync(inFolder(root, "anneal.db"))).toBe(false);
  });
});
