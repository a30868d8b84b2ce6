import { describe, expect, test } from "vitest";
import { describeIssues, Feature, GlobalSettings, Policy, ProjectSettings } from "./index.ts";

const FLAG = "--attach=http://127.0.0.1:7813/";

describe("a model that a program would take for an option is refused where it stands", () => {
  test.for([
    { place: "defaultModel", read: () => ProjectSettings.safeParse({ defaultModel: FLAG }) },
    {
      place: "agentSetup.claude.model",
      read: () => GlobalSettings.safeParse({ agentSetup: { claude: { model: FLAG } } }),
    },
    { place: "model", read: () => Feature.safeParse({ id: "f", description: "", model: FLAG }) },
    { place: "reviewer.model", read: () => Policy.safeParse({ reviewer: { model: FLAG } }) },
    {
      place: "reviewer.verification.model",
      read: () => Policy.safeParse({ reviewer: { verification: { by: "codex", model: "a\nb" } } }),
    },
  ])("$place", ({ place, read }) => {
    const { error } = read();
    const messages = error === undefined ? [] : describeIssues(error);
    expect(messages).toContainEqual(
      expect.stringMatching(new RegExp(`^${place}: a model's name consists of letters, digits`)),
    );
  });

  test("and an empty one counts as missing, in a feature", () => {
    expect(Feature.safeParse({ id: "f", description: "", model: "" }).success).toBe(true);
  });
});
