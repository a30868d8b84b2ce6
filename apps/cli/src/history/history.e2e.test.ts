import { describe, expect, test } from "vitest";
import { approve, project, writes } from "../testing/project.ts";

const weak = writes("implementer", "export const ok = (p) => true;\n");

describe("anneal history", () => {
  test.concurrent("lists the events of one feature or of all, each with the stage that it led to", async () => {
    using here = project({
      a: { steps: [weak, approve] },
      b: { steps: [{ role: "implementer", answer: "Nothing." }] },
    });
    await here.anneal("run", "--all");
    const { stdout } = await here.anneal("history", "a");
    const types = stdout
      .trimEnd()
      .split("\n")
      .map((line) => line.split(/ {2,}/)[3]?.split(" ")[0]);
    expect(types).toEqual(
      ["loop-started", "intended", "implemented", "intended", "validated", "intended", "commit-prepared"].concat([
        "intended",
        "committed",
        "intended",
        "reviewed",
      ]),
    );
    const all = (await here.anneal("history", "--json")).stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(new Set(all.map(({ loop }) => loop))).toEqual(new Set(["a~1", "b~1"]));
    expect(all.map(({ seq }) => seq)).toEqual(all.map((_, at) => at + 1));
  });
});
