import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { anneal } from "../testing/anneal.ts";
import { tempFolder } from "../testing/temp.ts";

test.concurrent("anneal demo converges, says what was not judged, and leaves no folder behind", async () => {
  using folder = tempFolder();
  const run = await anneal(folder.path, ["demo"]);
  expect(run).toMatchObject({ code: 0, stderr: "", left: [] });
  expect(run.stdout).toMatch(
    /Round 1[\s\S]*✘ fail[\s\S]*Fix[\s\S]*✔ committed[\s\S]*Round 2[\s\S]*✔ pass[\s\S]*Converged/,
  );
  expect(run.stdout).toMatch(
    /What was not judged\n[\s\S]*Whether requirements are met must be judged by an agent or a person/,
  );
  expect(readdirSync(folder.path)).toEqual([]);
});

test.concurrent("anneal demo --keep leaves the project and says where", async () => {
  using folder = tempFolder();
  const run = await anneal(folder.path, ["demo", "--keep"], { TMPDIR: folder.path });
  expect(run).toMatchObject({ code: 0, stderr: "" });
  const [kept = "", ...more] = readdirSync(folder.path);
  expect(more).toEqual([]);
  const project = join(folder.path, kept);
  expect(run.stdout).toContain(`The project is in ${project}`);
  const { stdout } = spawnSync("git", ["log", "--oneline", "main..add-discounts"], { cwd: project, encoding: "utf8" });
  expect(stdout.trim().split("\n")).toHaveLength(2);
  expect((await anneal(project, ["review"])).code).toBe(0);
});
