import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeRepo, type TestRepo } from "../../../../git/src/testing/make-repo.ts";
import { decisionText } from "../../review/testing/decision-text.ts";

/** What a reviewer of seed 000 answers. */
export function review(decision: "APPROVED" | "REJECTED", issue = "None"): object {
  return { role: "reviewer", answer: decisionText(decision, issue), usage: { outputTokens: 10, costUsd: 0.25 } };
}

export const approve = review("APPROVED");

export function reject(file: string): object {
  const issue = `- **[CODE]** - error: Nothing is checked\n  - Description: anything gets in\n  - File: ${file}\n  - Line: 1`;
  return review("REJECTED", issue);
}

/** An implementer that writes one file. Done twice without a reset in between, it would show. */
export function writes(path: string, content: string): object {
  return { role: "implementer", answer: `Wrote ${path}: ${content}`, edits: [{ path, append: content }] };
}

/** A fixer that changes one word of a file, which can be done only once. */
export function fixes(path: string, from: string, to: string): object {
  return { role: "fixer", answer: `Made it ${to}.`, edits: [{ path, replace: [from, to] }] };
}

/** An implementer that leaves everything as it is. */
export const idle = { role: "implementer", answer: "Nothing is left to do." };

export type Features = Record<string, { steps: object[] } & Record<string, unknown>>;

/** Six features with every turn that a loop can take by itself; three of them can start at once. */
export const SIX: Features = {
  quick: { steps: [writes("quick.js", "1\n"), approve, idle] },
  fixed: {
    steps: [
      writes("fixed.js", "weak\n"),
      reject("fixed.js"),
      fixes("fixed.js", "weak", "strong"),
      approve,
      writes("fixed.md", "How it works.\n"),
      approve,
    ],
  },
  stuck: {
    steps: [
      writes("stuck.js", "1\n"),
      reject("stuck.js"),
      fixes("stuck.js", "1", "2"),
      reject("stuck.js"),
      fixes("stuck.js", "2", "3"),
      reject("stuck.js"),
    ],
  },
  checked: {
    steps: [
      writes("broken", "the checks refuse this\n"),
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
    steps: [writes("approval.js", "1\n"), approve, idle],
    skipTests: true,
    dependencies: ["quick"],
  },
  last: {
    steps: [writes("last.js", "weak\n"), reject("last.js"), fixes("last.js", "weak", "strong"), approve, idle],
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

/** A project whose features are played by scripts; with a pipeline, a set-up command and checks by default. */
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
