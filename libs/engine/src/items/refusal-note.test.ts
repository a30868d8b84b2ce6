import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { approve, implement, own, project } from "../project/testing/project.ts";
import { refusalNote } from "./refusal-note.ts";

test.for([
  {
    what: "why a move was put back",
    error: refusalNote("completed", "it waits (approval)"),
    signal: "approve",
    left: {},
  },
  { what: "why a move was put back", error: refusalNote("completed", "it waits (approval)"), signal: "stop", left: {} },
  { what: "what another tool wrote", error: "out of tokens", signal: "approve", left: { error: "out of tokens" } },
])("$what is in feature.json after $signal: $left", async ({ error, signal, left }) => {
  const repo = project({ a: { steps: [implement, approve], skipTests: true } });
  const file = join(repo.dir, ".automaker/features/a/feature.json");
  const runtime = await own(repo);
  expect(await runtime.run("a")).toMatchObject({ reason: "approval" });
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), error }));
  const word = { type: "signalled", id: "w", at: 1, signal, by: "ada" };
  runtime.store.post({ id: "w", loop: "a~1", body: { kind: "event", event: word } });
  await runtime.inbox.empty();
  const { error: now } = JSON.parse(readFileSync(file, "utf8"));
  expect(now === undefined ? {} : { error: now }).toEqual(left);
});
