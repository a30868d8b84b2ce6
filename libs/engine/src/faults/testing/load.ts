import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeRepo, type TestRepo } from "../../../../adapters/src/testing/make-repo.ts";

/** What a reviewer of seed 000 answers. */
export function review(decision: "APPROVED" | "REJECTED", issue = "None"): object {
  const answer = `**[${decision}]**\n\n### Issues Found\n${issue}\n\n### Summary\nAs it stands.\n\nEND OF REVIEW\n`;
  return { role: "reviewer", answer, usage: { outputTokens: 10, costUsd: 0.25 } };
}

export const approve = review("APPROVED");

export function reject(file: string): object {
  const issue = `- **[CODE]** - error: Nothing is checked\n  - Description: anything gets in\n  - File: ${file}\n  - Line: 1`;
  return review("REJECTED", issue);
}

/** An agent that writes one file. */
export function writes(role: "implementer" | "fixer", path: string, content: string): object {
  return { role, answer: `Wrote ${path}: ${content}`, edits: [{ path, content }] };
}

/** An implementer that leaves everything as it is. */
export const idle = { role: "implementer", answer: "Nothing is left to do." };

export type Features = Record<string, { steps: object[] } & Record<string, unknown>>;

/** Six features with every turn that a loop can take by itself; three of them can start at once. */
export const SIX: Features = {
  quick: { steps: [writes("implementer", "quick.js", "1\n"), approve, idle] },
  fixed: {
    steps: [
      writes("implementer", "fixed.js", "weak\n"),
      reject("fixed.js"),
      writes("fixer", "fixed.js", "strong\n"),
      approve,
      writes("implementer", "fixed.md", "How it works.\n"),
      approve,
    ],
  },
  stuck: {
    steps: [
      writes("implementer", "stuck.js", "1\n"),
      reject("stuck.js"),
      writes("fixer", "stuck.js", "2\n"),
      reject("stuck.js"),
      writes("fixer", "stuck.js", "3\n"),
      reject("stuck.js"),
    ],
  },
  checked: {
    steps: [
      writes("implementer", "broken", "the checks refuse this\n"),
      {
        role: "fixer",
        answer: "Mended.",
        edits: [
          { path: "broken", delete: true },
          { path: "ok.js", content: "1\n" },
        ],
      },
      approve,
      idle,
    ],
    dependencies: ["quick"],
    priority: 1,
  },
  approval: {
    steps: [writes("implementer", "approval.js", "1\n"), approve, idle],
    skipTests: true,
    dependencies: ["quick"],
  },
  last: {
    steps: [
      writes("implementer", "last.js", "weak\n"),
      reject("last.js"),
      // This can be done only once on the same files.
      { role: "fixer", answer: "Made it strong.", edits: [{ path: "last.js", replace: ["weak", "strong"] }] },
      approve,
      idle,
    ],
    dependencies: ["quick", "fixed"],
    notes: { of: "another tool" },
  },
};

const PIPELINE = {
  version: 1,
  steps: [{ id: "docs", name: "Docs", order: 1, instructions: "Write down how it works." }],
};

export interface Load extends TestRepo {
  /** Home and temp folder of the processes that work here: whatever they leave behind lies in it. */
  home: string;
  at(...parts: string[]): string;
  feature(id: string): Record<string, unknown>;
}

/** A project whose features are played by scripts; with a pipeline, a set-up command and checks unless told otherwise. */
export function makeLoad(features: Features = SIX, settings: object = {}): Load {
  const repo = makeRepo({ "README.md": "hello\n", ".gitignore": "/.automaker/\n/home/\ninstalled\n" });
  const at = (...parts: string[]) => join(repo.dir, ".automaker", ...parts);
  mkdirSync(at("scripts"), { recursive: true });
  mkdirSync(join(repo.dir, "home", "tmp"), { recursive: true });
  for (const [id, { steps, ...rest }] of Object.entries(features)) {
    mkdirSync(at("features", id), { recursive: true });
    const feature = { id, title: `Add ${id}`, description: `Wants ${id}.`, status: "backlog", ...rest };
    writeFileSync(at("features", id, "feature.json"), `${JSON.stringify(feature, null, 2)}\n`);
    writeFileSync(at("scripts", `${id}.json`), JSON.stringify({ name: "scripted", model: "m-1", steps }));
  }
  const player = "scripted:.automaker/scripts/{id}.json";
  const all = {
    version: 1,
    agents: { implementer: player, reviewer: player, fixer: player },
    testCommand: ["test", "!", "-e", "broken"],
    worktree: { setup: ["touch installed"] },
    ...settings,
  };
  writeFileSync(at("settings.json"), JSON.stringify(all));
  writeFileSync(at("pipeline.json"), JSON.stringify(PIPELINE));
  return {
    ...repo,
    home: join(repo.dir, "home"),
    at,
    feature: (id) => JSON.parse(readFileSync(at("features", id, "feature.json"), "utf8")),
  };
}
