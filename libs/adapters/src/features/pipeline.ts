import { Pipeline, type PipelineStep } from "@anneal/types";
import { readJson, type Schema } from "../files/json-file.ts";

/** The project's own steps in their order; a project without the file has none. */
export async function readPipeline(path: string): Promise<PipelineStep[]> {
  const read = await readJson(path, distinctSteps);
  if (read.ok) return read.value.steps.toSorted((a, b) => a.order - b.order);
  if (read.reason === "missing") return [];
  throw read.cause;
}

const distinctSteps: Schema<Pipeline> = Pipeline.refine(
  ({ steps }) => new Set(steps.map(({ id }) => id)).size === steps.length,
  { path: ["steps"], message: "expected every step to have an id of its own" },
);
