import type { Refused } from "@anneal/engine/project";
import type { PlannedUnit, UnitsPlan } from "@anneal/engine/units";
import { counted, json, refusedLines } from "../project/output.ts";
import { harmlessLine, painter } from "../style.ts";

export interface ReviewNote {
  who: string;
  /** What a person should know before units run. */
  warning: string | null;
}

export interface UnitDryRun {
  into: string;
  from: string;
  review: ReviewNote;
  refused: readonly Refused[];
  json: boolean;
}

/** What `anneal unit run` would do. */
export function dryRun(plan: UnitsPlan, { into, from, review, refused, json: asJson }: UnitDryRun): string {
  const { units, baselineChecks, notes } = plan;
  if (asJson) {
    return json({ into, from, review: { ...plan.review, by: review.who }, baselineChecks, notes, units, refused });
  }
  const paint = painter(process.stdout);
  const fixes = plan.review.maxFixes === 0 ? "review only" : `at most ${counted(plan.review.maxFixes, "fix", "fixes")}`;
  const lines = [
    `[DRY-RUN] Into ${into} at ${from.slice(0, 12)}; review by ${review.who}${plan.review.enabled ? ` (${fixes})` : ""}`,
    ...units.flatMap((unit) => [
      `${paint("bold", harmlessLine(unit.id))}  ${harmlessLine(unit.title)}${about(unit)}`,
      ...unit.tasks.map(({ task, title, status, check }) => {
        const done = status === "complete" ? paint("green", " (complete)") : "";
        return `  ${String(task).padStart(2)}  ${harmlessLine(title)}${done}  ${paint("dim", harmlessLine(check))}`;
      }),
      ...baselineChecks.map(
        ({ name, command }) => `      ${harmlessLine(name)}  ${paint("dim", harmlessLine(command))}`,
      ),
    ]),
    ...refusedLines(refused),
    ...notes.map((note) => paint("yellow", `! ${harmlessLine(note)}`)),
  ];
  return `${lines.join("\n")}\n`;
}

function about({ status, wave, dependsOn }: PlannedUnit): string {
  if (status === "complete") return ": complete already, nothing to do";
  const after = dependsOn.length === 0 ? "" : `, after ${dependsOn.join(", ")}`;
  return `: wave ${wave}${after}`;
}
