import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { systemClock } from "@anneal/system/clock";
import { expect, test } from "vitest";
import type { LoopNotification } from "../history/notification.ts";
import { run } from "../project/run.ts";
import { approve, implement, own, project } from "../project/testing/project.ts";

const script = { steps: [implement, approve] };

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
  const repo = project({ f1: script });
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

test("a run tells of items whose files could not follow, and of no others", async () => {
  const repo = project({ array: script, cut: script, mended: script, calm: script });
  const file = (id: string) => join(repo.dir, `.automaker/features/${id}/feature.json`);
  const whole = readFileSync(file("mended"), "utf8");
  const damage: Record<string, string> = { array: "[]\n", cut: '{ "id": "cut", "sta', mended: "{" };
  const onEvent = ({ item, event }: LoopNotification) => {
    const text = damage[item];
    if (text !== undefined && event.type === "implemented") writeFileSync(file(item), text);
    if (item === "mended" && event.type === "reviewed") writeFileSync(file(item), whole);
  };
  const rest = { cast: {}, limit: 2, by: "ada", onTrouble: () => {}, onOtherOwner: () => {} };
  const signal = new AbortController().signal;
  const { settled, unwritten } = await run({ root: repo.dir, clock: systemClock, ...rest, signal, onEvent });
  for (const id of ["array", "cut", "mended", "calm"]) expect(settled.get(id)).toMatchObject({ outcome: "passed" });
  expect([...unwritten.keys()].sort()).toEqual(["array", "cut"]);
  for (const [id, why] of unwritten) {
    expect(why).toContain(file(id));
    expect(readFileSync(file(id), "utf8")).toBe(damage[id]);
  }
  expect(JSON.parse(readFileSync(file("mended"), "utf8"))).toMatchObject({ status: "verified" });
});

/** As if the owner had been killed before its files were written. */
function forgetProjection(root: string): void {
  using database = new DatabaseSync(join(root, ".git/anneal/log.db"));
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
