import type { CustomPrompt, PromptCustomization } from "@anneal/types";
import { describe, expect, test } from "vitest";
import * as codeReview from "./code-review.ts";
import {
  DEFAULT_CODE_REVIEW_PROMPT_TEMPLATE,
  DEFAULT_CODE_REVIEW_PROMPTS,
  DEFAULT_CODE_REVIEW_SYSTEM_PROMPT,
  mergeCodeReviewPrompts,
} from "./code-review.ts";
import { DEFAULT_PROMPTS } from "./defaults.ts";
import * as prompts from "./index.ts";
import { mergeAllPrompts, resolvePromptCustomization } from "./merge.ts";

const on = (value: string): CustomPrompt => ({ enabled: true, value });
const off = (value: string): CustomPrompt => ({ enabled: false, value });
const standard = off(DEFAULT_CODE_REVIEW_SYSTEM_PROMPT);

test("the default prompts are disabled customisations that hold the default texts", () => {
  expect(DEFAULT_PROMPTS.codeReview).toEqual({
    reviewSystemPrompt: { enabled: false, value: DEFAULT_CODE_REVIEW_SYSTEM_PROMPT },
    reviewPromptTemplate: { enabled: false, value: DEFAULT_CODE_REVIEW_PROMPT_TEMPLATE },
  });
});

test("the package exports the prompts of code-review.ts and their merge", () => {
  expect(Object.keys(prompts)).toEqual(
    expect.arrayContaining([
      "DEFAULT_CODE_REVIEW_SYSTEM_PROMPT",
      "DEFAULT_CODE_REVIEW_PROMPT_TEMPLATE",
      "DEFAULT_CODE_REVIEW_PROMPTS",
      "mergeCodeReviewPrompts",
    ]),
  );
  expect(prompts).toMatchObject({ ...codeReview });
});

describe("mergeCodeReviewPrompts", () => {
  test.for([
    { name: "nothing", custom: undefined, result: standard },
    { name: "an empty customisation", custom: {}, result: standard },
    { name: "a disabled prompt", custom: { reviewSystemPrompt: off("mine") }, result: standard },
    { name: "an enabled prompt", custom: { reviewSystemPrompt: on("mine") }, result: on("mine") },
    { name: "an enabled empty prompt", custom: { reviewSystemPrompt: on("") }, result: on("") },
    { name: "another prompt only", custom: { reviewPromptTemplate: on("mine") }, result: standard },
  ])("makes the system prompt of $name", ({ custom, result }) => {
    expect(mergeCodeReviewPrompts(custom).reviewSystemPrompt).toEqual(result);
  });

  test("takes the enabled flag of other defaults where the custom prompt has none", () => {
    const defaults = { ...DEFAULT_CODE_REVIEW_PROMPTS, reviewSystemPrompt: on("house style") };
    expect(mergeCodeReviewPrompts(undefined, defaults).reviewSystemPrompt).toEqual(on("house style"));
    expect(mergeCodeReviewPrompts({ reviewSystemPrompt: off("x") }, defaults).reviewSystemPrompt).toEqual(
      off("house style"),
    );
  });
});

describe("resolvePromptCustomization", () => {
  const cases: { project: CustomPrompt | undefined; global: CustomPrompt | undefined; result: CustomPrompt }[] = [
    { project: on("project"), global: on("global"), result: on("project") },
    { project: on("project"), global: off("global"), result: on("project") },
    { project: on("project"), global: undefined, result: on("project") },
    { project: off("project"), global: on("global"), result: standard },
    { project: off("project"), global: off("global"), result: standard },
    { project: off("project"), global: undefined, result: standard },
    { project: undefined, global: on("global"), result: on("global") },
    { project: undefined, global: off("global"), result: standard },
    { project: undefined, global: undefined, result: standard },
  ];
  test.for(cases)("project $project.enabled over global $global.enabled gives $result.enabled", (given) => {
    const customisation = (prompt: CustomPrompt | undefined): PromptCustomization => ({
      codeReview: { reviewSystemPrompt: prompt },
    });
    const resolved = resolvePromptCustomization(customisation(given.project), customisation(given.global));
    expect(resolved.codeReview.reviewSystemPrompt).toEqual(given.result);
  });

  test("resolves key by key", () => {
    const resolved = resolvePromptCustomization(
      { codeReview: { reviewSystemPrompt: on("project system") } },
      { codeReview: { reviewSystemPrompt: on("global system"), reviewPromptTemplate: on("global template") } },
    );
    expect(resolved.codeReview.reviewSystemPrompt.value).toBe("project system");
    expect(resolved.codeReview.reviewPromptTemplate.value).toBe("global template");
  });

  test("is the default where neither file says anything", () => {
    expect(resolvePromptCustomization(undefined, undefined)).toEqual(mergeAllPrompts());
  });

  test("resolving what is resolved changes nothing", () => {
    const once = resolvePromptCustomization({ codeReview: { reviewSystemPrompt: on("mine") } }, undefined);
    expect(mergeAllPrompts(once)).toEqual(once);
  });
});
