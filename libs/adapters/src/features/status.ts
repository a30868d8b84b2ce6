import type { BoardStatus, FeatureStatus, PipelineStep } from "@anneal/types";

/** Who moves a feature: the loop that works on it, or a person on the board or with an editor. */
export type Mover = "loop" | "person";

interface Rule {
  from: BoardStatus | "pipeline";
  /** `next-step` is the step of the project's own pipeline that comes next, from the review the first. */
  to: BoardStatus | "next-step";
  by: readonly Mover[];
  when: string;
  /** Holds only where the pipeline has no further step. */
  steps?: "none-left";
}

/** Every legal move. A person never moves a feature past its review; only the loop does, after an approval. */
export const MOVES: readonly Rule[] = [
  { from: "backlog", to: "in_progress", by: ["loop", "person"], when: "work on it starts" },
  { from: "in_progress", to: "code_review", by: ["loop"], when: "the work is committed" },
  { from: "in_progress", to: "waiting_approval", by: ["loop"], when: "feedback on its pull request is addressed" },
  { from: "in_progress", to: "completed", by: ["loop"], when: "its pull request was merged meanwhile" },
  { from: "in_progress", to: "backlog", by: ["person"], when: "a person puts it back" },
  { from: "code_review", to: "in_progress", by: ["loop"], when: "the review rejected it" },
  { from: "code_review", to: "next-step", by: ["loop"], when: "it is approved" },
  { from: "code_review", to: "waiting_approval", by: ["loop"], when: "a person or its pull request decides" },
  { from: "code_review", to: "verified", by: ["loop"], when: "it is approved", steps: "none-left" },
  { from: "code_review", to: "backlog", by: ["person"], when: "a person puts it back" },
  { from: "pipeline", to: "next-step", by: ["loop"], when: "the step is done" },
  { from: "pipeline", to: "waiting_approval", by: ["loop"], when: "the last step is done", steps: "none-left" },
  { from: "pipeline", to: "verified", by: ["loop"], when: "the last step is done", steps: "none-left" },
  { from: "pipeline", to: "in_progress", by: ["loop", "person"], when: "the step asks for more work" },
  { from: "pipeline", to: "backlog", by: ["person"], when: "a person puts it back" },
  { from: "waiting_approval", to: "verified", by: ["loop", "person"], when: "a person approves" },
  { from: "waiting_approval", to: "completed", by: ["loop", "person"], when: "it is merged or done" },
  { from: "waiting_approval", to: "in_progress", by: ["loop", "person"], when: "there is feedback to address" },
  { from: "waiting_approval", to: "backlog", by: ["person"], when: "a person puts it back" },
  { from: "verified", to: "completed", by: ["loop", "person"], when: "it is merged or done" },
  { from: "verified", to: "waiting_approval", by: ["loop"], when: "new feedback reopens it" },
  { from: "verified", to: "in_progress", by: ["loop", "person"], when: "there is feedback to address" },
  { from: "verified", to: "backlog", by: ["person"], when: "a person puts it back" },
  { from: "completed", to: "verified", by: ["person"], when: "a person takes it back out" },
];

export interface Move {
  to: FeatureStatus;
  by: readonly Mover[];
  when: string;
}

type Steps = readonly Pick<PipelineStep, "id">[];

/** Where a feature may go from here; `steps` are the project's own, in order. No status means backlog. */
export function legalMoves(from: FeatureStatus | undefined, steps: Steps): Move[] {
  const place = from ?? "backlog";
  const next = nextStep(place, steps);
  return MOVES.filter((rule) => rule.from === (isStep(place) ? "pipeline" : place)).flatMap((rule) => {
    const to = rule.to === "next-step" ? next : rule.to;
    if (to === undefined || (rule.steps === "none-left" && next !== undefined)) return [];
    return [{ to, by: rule.by, when: rule.when }];
  });
}

/** Why this move must not be made, naming those that may; null if it may. */
export function whyIllegal(
  from: FeatureStatus | undefined,
  to: string,
  { by, steps = [] }: { by: Mover; steps?: Steps },
): string | null {
  const place = from ?? "backlog";
  const legal = legalMoves(place, steps).filter((move) => move.by.includes(by));
  if (legal.some((move) => move.to === to)) return null;
  const who = by === "loop" ? "the loop" : "a person";
  const others = legal.map((move) => move.to).join(", ");
  return `${who} cannot move a feature from ${place} to ${JSON.stringify(to)}; possible: ${others || "nothing"}`;
}

function nextStep(from: FeatureStatus, steps: Steps): FeatureStatus | undefined {
  const statuses = steps.map(({ id }): FeatureStatus => `pipeline_${id}`);
  // A step that the project has removed counts as before the first: none of today's steps has seen the work.
  return isStep(from) ? statuses[statuses.indexOf(from) + 1] : statuses[0];
}

function isStep(status: FeatureStatus): boolean {
  return status.startsWith("pipeline_");
}
