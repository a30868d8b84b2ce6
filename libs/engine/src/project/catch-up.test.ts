import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { approve, implement, own, project } from "./testing/project.ts";

const NOTE = ".automaker/anneal.owner.json";

test.for([
  {
    what: "a review that the log is ahead of is written, after a clean end too",
    note: false,
    edit: stale,
    status: "verified",
  },
  {
    what: "a status that a killed owner left behind is written",
    note: true,
    edit: moved("waiting_approval"),
    status: "verified",
  },
  { what: "a person's own move stays as it is", note: false, edit: moved("completed"), status: "completed" },
])("at start, $what", async ({ note, edit, status }) => {
  const repo = project({ f1: { steps: [implement, approve] } });
  const runtime = await own(repo);
  await runtime.run("f1");
  await runtime.close();
  const file = join(repo.dir, ".automaker/features/f1/feature.json");
  const written = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, JSON.stringify(edit(written)));
  if (note) repo.write({ [NOTE]: JSON.stringify({ pid: 1, host: "here", startedAt: "2020-01-01T00:00:00.000Z" }) });
  await (await own(repo)).close();
  const now = JSON.parse(readFileSync(file, "utf8"));
  expect(now).toEqual({ ...written, status });
});

type Written = { codeReviewSpec: object };

/** As if the owner had been killed during the review. */
function stale(feature: Written): object {
  return { ...feature, status: "code_review", codeReviewSpec: { ...feature.codeReviewSpec, status: "reviewing" } };
}

function moved(status: string): (feature: Written) => object {
  return (feature) => ({ ...feature, status });
}
