import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { decisionText } from "../review/testing/decision-text.ts";
import { sampleProject } from "./testing/sample-project.ts";
import { missing, npm, pip, pnpm, type ToolProject } from "./testing/tool-projects.ts";

const approved = {
  role: "reviewer",
  answer: decisionText("APPROVED", "None", "Adds up."),
};

const PROJECTS: { tool: string; project: ToolProject; lacks: string | null }[] = [
  { tool: "npm", project: npm, lacks: missing("npm", "--version") },
  { tool: "pnpm", project: pnpm, lacks: missing("pnpm", "--version") },
  { tool: "pip", project: pip, lacks: missing("python3", "-c", "import ensurepip, venv") },
];

test.for(PROJECTS)(
  "a project of $tool with a set-up, a red test and a flaky one: only what the change breaks is blamed on it, and mended",
  {
    timeout: 300_000,
  },
  async ({ project, lacks }, { skip }) => {
    if (lacks !== null) skip(lacks);
    const { source, setup } = project;
    const { repo, root, add, run, notifications, feature, troubles } = await sampleProject({
      files: project.files,
      settings: ({ detected }) => {
        expect(detected.setup).toEqual(setup);
        return { worktree: { setup: detected.setup }, testCommand: project.testCommand ?? detected.tests[0] };
      },
    });
    const edit = (role: string, content: string) => ({
      role,
      answer: "Done.",
      edits: [{ path: source.path, content }],
    });
    const id = await add(
      { title: "Sum faster", description: "Sums are slow." },
      { steps: [edit("implementer", source.broken), edit("fixer", `${source.mended}\n`), approved] },
    );
    const { settled, broken } = await run([id]);
    expect([[...broken], troubles]).toEqual([[], []]);
    expect(settled.get(id)).toMatchObject({ stage: "ended", outcome: "passed" });
    expect(feature(id)).toMatchObject({ status: "verified", codeReviewSpec: { currentIteration: 1 } });

    const checks = (await notifications()).flatMap(({ event }) => (event.type === "validated" ? [event] : []));
    expect(checks.map(({ result }) => result)).toEqual(["failed", "passed"]);
    const [first] = checks;
    expect(first?.findings.map(({ title }) => title)).toEqual([
      expect.stringMatching(/^The test ".*adds up" fails and did not before$/),
    ]);

    expect(existsSync(join(`${root}.anneal`, id, project.installed))).toBe(true);
    expect(repo.git("diff", "--name-only", "main", `feature/${id}`)).toBe(source.path);
    expect(repo.git("worktree", "list")).not.toContain("baseline-");
  },
);
