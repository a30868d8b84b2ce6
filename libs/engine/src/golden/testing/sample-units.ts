import { chmodSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { unitStatus } from "@anneal/core/units";
import { signed } from "../../../../core/src/read/testing/sign-off.ts";
import type { Files } from "../../../../git/src/testing/make-repo.ts";
import type { AutoResult } from "../../project.ts";
import { iso, type Section, sections } from "./picture.ts";
import { type RunOptions, type SampleProject, sampleProject } from "./sample-project.ts";
import type { TickingClock } from "./ticking-clock.ts";

export const AT = "specs/tasks/greeting";

const plan = (unit: string, dependsOn: string[] = []) => `---
# author
unit: ${unit}
depends_on: [${dependsOn.join(", ")}]
# managed
orch_status: pending
orch_branch: null
---

# The ${unit}

Say hello, by name.
`;

const task = (number: number, title: string, backpressure: string, status = "pending") => `---
task: ${number}
status: ${status}   # pending | in_progress | complete | failed
backpressure: ${JSON.stringify(backpressure)}
---

# ${title}

Do it well.
`;

/** A unit in files: its tasks are titles and the commands that check them. */
export function unitFiles(unit: string, tasks: [title: string, check: string][], dependsOn: string[] = []): Files {
  const files = tasks.map(([title, check], at) => {
    const number = String(at + 1).padStart(2, "0");
    return [`specs/tasks/${unit}/${number}-${title.toLowerCase().replaceAll(" ", "-")}.md`, task(at + 1, title, check)];
  });
  return { [`specs/tasks/${unit}/IMPLEMENTATION_PLAN.md`]: plan(unit, dependsOn), ...Object.fromEntries(files) };
}

export const greet = (body: string) => ({
  path: "src/greet.js",
  content: `export const greet = (name) => ${body};\n`,
});
export const GREETS = 'grep -q "export const greet" src/greet.js';

export const implement = {
  role: "implementer",
  answer: "Greets by name.",
  edits: [greet(`"Hello " + name`)],
  usage: { inputTokens: 10, outputTokens: 5, costUsd: 0.01 },
};
export const document = {
  role: "implementer",
  answer: "Wrote it down.",
  edits: [{ path: "docs/greet.md", content: "# Greet\n\nIt says hello.\n" }],
};
export const fix = { role: "fixer", answer: "Nobody is greeted too.", edits: [greet(`"Hello " + (name ?? "nobody")`)] };

export const clean = {
  role: "reviewer",
  answer: { passed: true, summary: "Reads well.", issues: [], sign_off: signed },
};
const ISSUE = {
  file: "src/greet.js",
  line: 1,
  severity: "warning",
  message: "Greets undefined where there is no name",
  suggestion: "Fall back to a word",
};
export const issues = {
  role: "reviewer",
  answer: { passed: false, summary: "One thing is missing.", issues: [ISSUE] },
};

export const babble = { role: "reviewer", answer: "Looks good to me!" };

export interface UnitsOptions {
  /** What the agents of the tasks play, by unit. */
  steps: Record<string, object[]>;
  /** What the reviewer plays; without it the reviewer is the one of `.choo.yaml`. */
  reviews?: object[];
  choo?: string;
  files?: Files;
  clock?: TickingClock;
  /** Runs before every commit, in a shell. */
  preCommit?: string;
}

export interface UnitsProject extends SampleProject {
  /** `anneal unit run`. */
  runUnits(units?: string[], limit?: number, hears?: Pick<RunOptions, "onEvent" | "onProgress">): Promise<AutoResult>;
}

/** A project with units, played by one agent for the tasks and another for the review. */
export async function unitsProject(options: UnitsOptions): Promise<UnitsProject> {
  const { steps, reviews, choo, preCommit, clock, files = unitFiles("greeting", [["Greet", GREETS]]) } = options;
  const all = { ...files, ...(choo === undefined ? {} : { ".choo.yaml": choo }) };
  const project = await sampleProject({ files: all, ...(clock === undefined ? {} : { clock }) });
  for (const [unit, played] of Object.entries(steps)) project.plan(unit, { steps: played });
  // Named in the settings, but not for units: their reviewer is named by .choo.yaml or by the run.
  project.plan("second", { model: "reviewing-model", steps: reviews ?? [] });
  if (preCommit !== undefined) {
    project.repo.write({ ".git/hooks/pre-commit": `#!/bin/sh\n${preCommit}\n` });
    chmodSync(join(project.root, ".git/hooks/pre-commit"), 0o755);
  }
  const reviewer = `scripted:${join(project.root, ".automaker/plans/second.json")}`;
  const cast = reviews === undefined ? {} : { reviewer };
  const keys = (units: string[]) => units.map((unit) => `unit:${unit}`);
  return {
    ...project,
    runUnits: (units = ["greeting"], limit = 1, hears = {}) => project.run(keys(units), { limit, cast, ...hears }),
  };
}

/** Everything that a unit's loop leaves behind, as one readable text. */
export async function unitPicture(
  project: SampleProject,
  { unit = "greeting", prompts = [] }: { unit?: string; prompts?: readonly string[] } = {},
): Promise<string> {
  const notifications = (await project.notifications()).filter(({ item }) => item === `unit:${unit}`);
  const end = notifications.at(-1)?.state;
  const statuses = notifications.flatMap(({ event, state }, at) => {
    const before = notifications[at - 1]?.state;
    const now = unitStatus(state);
    return before !== undefined && unitStatus(before) === now
      ? []
      : [`${now.padEnd(12)} after ${event.type} at ${iso(event.at)}`];
  });
  if (end?.stage === "ended") statuses.push(`ended: ${end.outcome}: ${end.detail}`);
  if (end?.stage === "waiting-for-human") statuses.push(`waits for a person: ${end.reason}: ${end.detail}`);
  const { repo } = project;
  return sections([
    ["Status", statuses],
    [
      "Events",
      notifications.flatMap(({ seed }) => seed).map(({ type, payload }) => `${type}\n  ${JSON.stringify(payload)}`),
    ],
    ["Messages", notifications.flatMap(({ lines }) => lines)],
    ["Played by", [...new Set(notifications.flatMap(({ event }) => ("by" in event ? [playedBy(event)] : [])))]],
    ["main", [repo.git("log", "--graph", "--format=%h %an %aI%n%B", "main"), repo.git("ls-tree", "-r", "main")]],
    [`unit/${unit}`, [repo.git("log", "--format=%h %s", `unit/${unit}`, "--not", "main^")]],
    ["Work tree", [repo.git("status", "--porcelain")]],
    ...files(project.root, unit),
    ...prompts.map((prompt, at): Section => [`What the fixer was told, ${at + 1} of ${prompts.length}`, [prompt]]),
  ]);
}

/** The front matter of a file of a unit, its plan by default. */
export function planOf({ root }: SampleProject, file = `${AT}/IMPLEMENTATION_PLAN.md`): Record<string, string> {
  const text = readFileSync(join(root, file), "utf8");
  return Object.fromEntries(
    [...text.matchAll(/^(\w+): *"?([^"#\n]*?)"? *(?:#.*)?$/gm)].map(([, key, value]) => [key, value]),
  );
}

function playedBy(event: { type: string; by: unknown }): string {
  const by = typeof event.by === "string" ? { agent: event.by } : (event.by as { agent: string; model?: string });
  return `${event.type} by ${by.agent} (${by.model ?? "no model"})`;
}

function files(root: string, unit: string): Section[] {
  const folder = join(root, "specs/tasks", unit);
  return readdirSync(folder)
    .sort()
    .map((name): Section => [name, [readFileSync(join(folder, name), "utf8")]]);
}
