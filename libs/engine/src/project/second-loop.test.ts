import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { approve, implement, own, project } from "./testing/project.ts";

test("a second loop over a feature leaves what the pipeline steps of the first said as it is", async () => {
  const docs = { role: "implementer", answer: "Wrote the docs.", edits: [{ path: "docs.md", content: "docs\n" }] };
  const repo = project({ a: { steps: [implement, approve, docs, approve] } });
  const step = { id: "docs", name: "Docs", order: 1, instructions: "Write down how it works." };
  writeFileSync(join(repo.dir, ".automaker/pipeline.json"), JSON.stringify({ version: 1, steps: [step] }));
  const folder = join(repo.dir, ".automaker/features/a");
  const runtime = await own(repo);
  expect(await runtime.run("a")).toMatchObject({ outcome: "passed" });
  const first = join(folder, "agent-output-pipeline-docs.md");
  writeFileSync(first, "of the first loop\n");
  const feature = JSON.parse(readFileSync(join(folder, "feature.json"), "utf8"));
  writeFileSync(join(folder, "feature.json"), JSON.stringify({ ...feature, status: "backlog" }));

  expect(await runtime.run("a")).toMatchObject({ outcome: "passed", earlierRounds: 2 });
  expect(readFileSync(first, "utf8")).toBe("of the first loop\n");
  const later = readdirSync(folder).filter((name) => name.includes("pipeline"));
  expect(later.sort()).toEqual(["agent-output-pipeline-docs-from-iteration-3.md", "agent-output-pipeline-docs.md"]);
  expect(readFileSync(join(folder, "agent-output-pipeline-docs-from-iteration-3.md"), "utf8")).toBe("Wrote the docs.");
});
