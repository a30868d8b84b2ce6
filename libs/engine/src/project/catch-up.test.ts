import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { approve, implement, own, project } from "./testing/project.ts";

test.for([
  {
    what: "a review that the log is ahead of is written, after a clean end too",
    behind: false,
    edit: stale,
    status: "verified",
  },
  {
    what: "a status that a killed owner left behind is written",
    behind: true,
    edit: moved("waiting_approval"),
    status: "verified",
  },
  { what: "a person's own move stays as it is", behind: false, edit: moved("completed"), status: "completed" },
])("at start, $what", async ({ behind, edit, status }) => {
  const repo = project({ f1: { steps: [implement, approve] } });
  const runtime = await own(repo);
  await runtime.run("f1");
  await runtime.close();
  const file = join(repo.dir, ".automaker/features/f1/feature.json");
  const written = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, JSON.stringify(edit(written)));
  if (behind) forgetProjection(repo.dir);
  await (await own(repo)).close();
  const now = JSON.parse(readFileSync(file, "utf8"));
  expect(now).toEqual({ ...written, status });
});

/** As if the owner had been killed before its files were written. */
function forgetProjection(root: string): void {
  using database = new DatabaseSync(join(root, ".automaker/anneal.db"));
  database.exec("UPDATE loops SET projected_seq = 1");
}

type Written = { codeReviewSpec: object };

/** As if the owner had been killed during the review. */
function stale(feature: Written): object {
  return { ...feature, status: "code_review", codeReviewSpec: { ...feature.codeReviewSpec, status: "reviewing" } };
}

function moved(status: string): (feature: Written) => object {
  return (feature) => ({ ...feature, status });
}
