import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "@anneal/engine";
import { openProject } from "@anneal/engine/project";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { RequestProblem } from "../problem.ts";
import { approves, build, fix, type LoopWorld, loopWorld, rejects } from "../testing/loop-world.ts";
import { AutoModeService } from "./auto-mode-service.ts";

describe("seed 000's AutoModeService", () => {
  let world: LoopWorld;
  let project: Awaited<ReturnType<typeof openProject>>;
  let service: AutoModeService;
  beforeAll(async () => {
    world = await loopWorld(1);
    world.script("f1", [build("a.js", "1;\n"), rejects("a.js"), fix("a.js", "2;\n"), approves]);
    await world.run("f1", ["ended"]);
    project = await openProject(world.root, systemClock);
    const closing = new AbortController().signal;
    service = new AutoModeService(
      (path) => {
        if (path !== world.root) throw new RequestProblem("not-found", "no such project");
        return { ...project, closing, start: () => {}, items: { troubleOf: () => null } };
      },
      { clock: systemClock, speaker: { by: "ada" } },
    );
  }, 30_000);
  afterAll(async () => {
    project[Symbol.dispose]();
    await world[Symbol.asyncDispose]();
  });
  const folder = () => join(world.root, ".automaker/features/f1");

  test("generateCodeReview answers with status and summary", async () => {
    expect(await service.generateCodeReview(world.root, "f1", 1)).toEqual({ status: "rejected", summary: "Not yet." });
  });

  test("parseCodeReviewResponse gives an iteration; what cannot be read has failed", async () => {
    expect(await service.parseCodeReviewResponse(rejects("a.js").answer, 2)).toMatchObject({
      iterationNumber: 2,
      status: "rejected",
      findings: [{ category: "code", severity: "error", file: "a.js", line: 1 }],
      overallSummary: "Not yet.",
      reviewFile: "code-review-iteration-2.md",
    });
    for (const text of ["", "All fine!", approves.answer.replace("END OF REVIEW", "")])
      expect(await service.parseCodeReviewResponse(text, 1)).toMatchObject({ status: "failed" });
  });

  test("getPreviousReviewFindings gives the iterations before", async () => {
    expect(await service.getPreviousReviewFindings(folder(), 1)).toEqual([]);
    expect(await service.getPreviousReviewFindings(folder(), 2)).toMatchObject([
      { iterationNumber: 1, status: "rejected" },
    ]);
  });

  test("saveCodeReviewMarkdown writes the review beside feature.json, with and without its number", async () => {
    const review = await service.parseCodeReviewResponse(approves.answer, 8);
    await service.saveCodeReviewMarkdown(folder(), review);
    await service.saveCodeReviewMarkdown(folder(), 9, review);
    expect(readFileSync(join(folder(), "code-review-iteration-8.md"), "utf8")).toContain("Iteration 8 of 8");
    expect(readFileSync(join(folder(), "code-review-iteration-9.md"), "utf8")).toContain("APPROVED");
  });

  test.for([
    "/etc",
    "{root}",
    "{root}/.automaker/features/../../..",
    "{root}/.automaker/features/none",
    "/tmp/.automaker/features/f1",
  ])("saveCodeReviewMarkdown refuses the folder %s", async (dir) => {
    const review = await service.parseCodeReviewResponse(approves.answer, 7);
    const asked = service.saveCodeReviewMarkdown(dir.replace("{root}", world.root), review);
    await expect(asked).rejects.toBeInstanceOf(RequestProblem);
    expect(existsSync(join(folder(), "code-review-iteration-7.md"))).toBe(false);
  });

  test("buildCodeReviewPrompt shows the feature, the diff and all earlier findings", async () => {
    const before = await service.getPreviousReviewFindings(folder(), 2);
    const stored = await project.features.get("f1");
    if (stored === null || "damaged" in stored) throw new Error("the feature is there");
    const prompt = service.buildCodeReviewPrompt(stored.feature, "+two\n", before);
    for (const part of ["Feature 1", "Do it.", "+two", "Empty input is let in"]) expect(prompt).toContain(part);
  });

  test("the diff of an iteration is between recorded heads", async () => {
    expect(await service.getReviewDiff(world.root, "f1", 1)).toContain("+1;");
    expect(await service.getReviewDiff(world.root, "f1", 2)).toMatch(/-1;\n\+2;/);
    expect(await service.getReviewDiff(world.root, "f1", 3)).toBeNull();
  });
});
