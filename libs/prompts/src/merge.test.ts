import type { CustomPrompt } from "@anneal/types";
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
import { mergeAllPrompts } from "./merge.ts";

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

describe("mergeAllPrompts", () => {
  test("is the default where nothing is said", () => {
    expect(mergeAllPrompts()).toEqual(DEFAULT_PROMPTS);
  });

  test("changes nothing that is merged already", () => {
    const once = mergeAllPrompts({ codeReview: { reviewSystemPrompt: on("mine") } });
    expect(mergeAllPrompts(once)).toEqual(once);
  });
});
