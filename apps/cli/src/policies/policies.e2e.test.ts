import { Policy } from "@anneal/types";
import { expect, test } from "vitest";
import { anneal } from "../testing/anneal.ts";
import { tempFolder } from "../testing/temp.ts";

const NAMES = ["gate", "pull-request", "scored", "adversarial", "advisory"];

test.concurrent("anneal policies shows all five as a table, outside of any repository", async () => {
  using folder = tempFolder();
  const run = await anneal(folder.path, ["policies"]);
  expect(run).toMatchObject({ code: 0, stderr: "", left: [] });
  const [heads = "", ...rows] = run.stdout.trimEnd().split("\n");
  expect(heads.trim().split(/\s+/)).toEqual(NAMES);
  expect(rows.length).toBeGreaterThan(5);
});

test.concurrent("anneal policies --json parses as a list of policies", async () => {
  using folder = tempFolder();
  const run = await anneal(folder.path, ["policies", "--json"]);
  expect(run).toMatchObject({ code: 0, stderr: "" });
  const policies = Policy.array().parse(JSON.parse(run.stdout));
  expect(policies.map(({ name }) => name)).toEqual(NAMES);
});

test.concurrent("anneal policies refuses an unknown option with one line and exit 2", async () => {
  using folder = tempFolder();
  const run = await anneal(folder.path, ["policies", "--yaml"]);
  expect(run).toMatchObject({ code: 2, stdout: "" });
  expect(run.stderr).toMatch(/^anneal policies: .*--yaml.*; see anneal policies --help\n$/);
});
