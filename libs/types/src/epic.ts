import { z } from "zod";
import { TicketReviewState, TicketStatus } from "./review/ticket-review.ts";

/** One ticket as an epic's YAML lists it. */
export const EpicTicket = z.looseObject({
  name: z.string().min(1),
  description: z.string().optional(),
  acceptance_criteria: z.array(z.string()).optional(),
  files_to_modify: z.array(z.string()).optional(),
  dependencies: z.array(z.string()).optional(),
  /** Another spelling of `dependencies` that real files use. */
  depends_on: z.array(z.string()).optional(),
  critical: z.boolean().optional(),
});
export type EpicTicket = z.infer<typeof EpicTicket>;

/** A function that the tickets of an epic have agreed on. */
export const FunctionProfile = z.looseObject({
  arity: z.int().nonnegative().optional(),
  intent: z.string().optional(),
  signature: z.string().optional(),
});
export type FunctionProfile = z.infer<typeof FunctionProfile>;

/** What the tickets of an epic have to keep to together. */
export const CoordinationRequirements = z.looseObject({
  /** By component, then by function. */
  function_profiles: z.record(z.string(), z.record(z.string(), FunctionProfile)).optional(),
  directory_structure: z.unknown().optional(),
  shared_interfaces: z.unknown().optional(),
  breaking_changes_prohibited: z.unknown().optional(),
  architectural_decisions: z.unknown().optional(),
  performance_contracts: z.unknown().optional(),
  security_constraints: z.unknown().optional(),
});
export type CoordinationRequirements = z.infer<typeof CoordinationRequirements>;

/** An epic: `.epics/{epic}/{epic}.epic.yaml`. */
export const Epic = z
  .looseObject({
    name: z.string().min(1).optional(),
    /** Another spelling of `name` that real files use. */
    epic: z.string().min(1).optional(),
    description: z.string().optional(),
    context: z.string().optional(),
    objectives: z.array(z.string()).optional(),
    constraints: z.array(z.string()).optional(),
    acceptance_criteria: z.array(z.string()).optional(),
    rollback_on_failure: z.boolean().optional(),
    coordination_requirements: CoordinationRequirements.optional(),
    tickets: z.array(EpicTicket),
  })
  .refine((epic) => epic.name !== undefined || epic.epic !== undefined, {
    path: ["name"],
    message: "an epic needs a name (or epic)",
  });
export type Epic = z.infer<typeof Epic>;

/** One ticket of an epic that runs, with what its reviews add. */
export const EpicTicketState = TicketReviewState.extend({
  path: z.string().optional(),
  depends_on: z.array(z.string()).optional(),
  critical: z.boolean().optional(),
  status: TicketStatus,
  phase: z.string().nullish(),
  git_info: z
    .looseObject({
      base_commit: z.string().nullish(),
      branch_name: z.string().nullish(),
      final_commit: z.string().nullish(),
    })
    .nullish(),
  started_at: z.string().nullish(),
  completed_at: z.string().nullish(),
});
export type EpicTicketState = z.infer<typeof EpicTicketState>;

/** An epic that runs: `.epics/{epic}/artifacts/epic-state.json`. */
export const EpicState = z.looseObject({
  epic_id: z.string().min(1),
  baseline_commit: z.string(),
  epic_branch: z.string(),
  status: z.string(),
  started_at: z.string().nullish(),
  tickets: z.record(z.string(), EpicTicketState),
});
export type EpicState = z.infer<typeof EpicState>;
