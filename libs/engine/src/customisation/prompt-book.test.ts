import { DEFAULT_PROMPTS } from "@anneal/prompts";
import type { ApiPromptKey, CodeReviewPrompts, CustomPrompt } from "@anneal/types";
import { expect, test } from "vitest";
import { promptBook } from "./prompt-book.ts";

const on = (value: string): CustomPrompt => ({ enabled: true, value });
const off = (value: string): CustomPrompt => ({ enabled: false, value });

function used(key: ApiPromptKey, project: CodeReviewPrompts | undefined, global: CodeReviewPrompts | undefined) {
  const settings = (codeReview: CodeReviewPrompts | undefined) =>
    codeReview === undefined ? {} : { promptCustomization: { codeReview } };
  const book = promptBook({ project: settings(project), global: settings(global) });
  return book.find((entry) => entry.key === key);
}

test.for<{ project?: CustomPrompt; global?: CustomPrompt; from: string; inUse?: string }>([
  { project: on("project"), global: on("global"), from: "project", inUse: "project" },
  { project: on("project"), global: off("global"), from: "project", inUse: "project" },
  { project: on("project"), from: "project", inUse: "project" },
  { project: off("project"), global: on("global"), from: "default" },
  { project: off("project"), global: off("global"), from: "default" },
  { project: off("project"), from: "default" },
  { global: on("global"), from: "global", inUse: "global" },
  { global: off("global"), from: "default" },
  { from: "default" },
])("project $project.enabled over global $global.enabled is the prompt of the $from", (given) => {
  const of = (prompt: CustomPrompt | undefined) => (prompt === undefined ? undefined : { reviewSystemPrompt: prompt });
  const found = used("reviewSystemPrompt", of(given.project), of(given.global));
  const inUse = given.inUse ?? DEFAULT_PROMPTS.codeReview.reviewSystemPrompt.value;
  expect(found).toMatchObject({ from: given.from, enabled: given.from !== "default", inUse });
});

test("each prompt is looked for by itself", () => {
  const project = { reviewSystemPrompt: on("project system") };
  const global = { reviewSystemPrompt: on("global system"), reviewPromptTemplate: on("global template") };
  expect(used("reviewSystemPrompt", project, global)?.inUse).toBe("project system");
  expect(used("reviewPromptTemplate", project, global)?.inUse).toBe("global template");
});
