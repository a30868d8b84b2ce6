import { expect, test } from "vitest";
import { changeOf, type FeatureDraft, meet } from "./feature-change.ts";

const start: FeatureDraft = { title: "Sign in", description: "old text", model: "", skipTests: false };

test.for<{ what: string; mine: Partial<FeatureDraft>; sent: object }>([
  { what: "nothing", mine: {}, sent: {} },
  { what: "the title", mine: { title: "Log in" }, sent: { title: "Log in" } },
  { what: "the model, to none", mine: { model: "" }, sent: { model: null } },
])("only what was changed is sent: $what", ({ mine, sent }) => {
  expect(changeOf({ ...start, model: "m" }, { ...start, model: "m", ...mine })).toEqual(sent);
});

test.for<{ what: string; mine: Partial<FeatureDraft>; theirs: Partial<FeatureDraft>; met: object }>([
  {
    what: "another field than mine is taken over",
    mine: { title: "Log in" },
    theirs: { description: "new text" },
    met: { fields: { ...start, title: "Log in", description: "new text" }, taken: ["description"], contested: [] },
  },
  {
    what: "the same field stays as I wrote it, and is contested",
    mine: { description: "my text" },
    theirs: { description: "new text", model: "m" },
    met: { fields: { ...start, description: "my text", model: "m" }, taken: ["model"], contested: ["description"] },
  },
  {
    what: "the same field with the same words is nobody's loss",
    mine: { title: "Log in" },
    theirs: { title: "Log in" },
    met: { fields: { ...start, title: "Log in" }, taken: [], contested: [] },
  },
])("what somebody else changed meanwhile: $what", ({ mine, theirs, met }) => {
  expect(meet(start, { ...start, ...mine }, { ...start, ...theirs })).toEqual(met);
});
