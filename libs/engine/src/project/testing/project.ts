import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "@anneal/system/clock";
import { onTestFinished } from "vitest";
import { makeRepo, type TestRepo } from "../../../../git/src/testing/make-repo.ts";
import type { ProjectStore } from "../../history/store-log.ts";
import { openStore } from "../../log/index.ts";
import { decisionText } from "../../review/testing/decision-text.ts";
import { Runtime } from "../runtime.ts";
import type { RuntimeOptions } from "../runtime-options.ts";

export const APPROVED = decisionText("APPROVED", "None", "Does what was asked.");

export const REJECTED = `**[REJECTED]**

### Issues Found
- **[COMPLIANCE]** - error: Empty passwords are accepted
  - Description: the validator returns true for an empty string
  - File: auth.js
  - Line: 1
  - Suggestion: demand eight characters

### Summary
Empty passwords get in.

Demand at least eight characters.

END OF REVIEW
`;

export const approve = { role: "reviewer", answer: APPROVED };
export const reject = { role: "reviewer", answer: REJECTED };
export const implement = {
  role: "implementer",
  answer: "Done.",
  edits: [{ path: "auth.js", content: "ok = true;\n" }],
};
export const idle = { role: "implementer", answer: "Nothing to do." };
export const hang = { role: "implementer", end: "hang" };

/** A project with features that scripts play; gone when the test is over. */
export function project(features: Record<string, { steps: object[] } & Record<string, unknown>>): TestRepo {
  const repo = makeRepo({ "README.md": "hello\n", ".gitignore": ".automaker/\n.worktrees/\n" });
  onTestFinished(() => repo.remove());
  for (const [id, { steps, ...rest }] of Object.entries(features)) {
    const folder = join(repo.dir, ".automaker/features", id);
    mkdirSync(folder, { recursive: true });
    const feature = { id, title: `Add ${id}`, description: `Wants ${id}.`, status: "backlog", ...rest };
    writeFileSync(join(folder, "feature.json"), JSON.stringify(feature));
    writeFileSync(join(repo.dir, `.automaker/${id}.script`), JSON.stringify({ name: "scripted", steps }));
  }
  const player = "scripted:.automaker/{id}.script";
  const agents = { implementer: player, reviewer: player, fixer: player };
  writeFileSync(join(repo.dir, ".automaker/settings.json"), JSON.stringify({ version: 1, agents }));
  return repo;
}

/** The owner of a project, for one test. */
export async function own(repo: TestRepo, options: Partial<RuntimeOptions> = {}): Promise<Runtime> {
  const runtime = await Runtime.open({ root: repo.dir, clock: systemClock, ...options });
  if (runtime === null) throw new Error("somebody else owns the project");
  onTestFinished(() => runtime.close());
  return runtime;
}

/** The log of a project as another process would open it. */
export function otherProcess(repo: TestRepo): ProjectStore {
  const store: ProjectStore = openStore(repo, { clock: systemClock });
  onTestFinished(() => store.close());
  return store;
}
