import { z } from "zod";

/** One issue of an advisory review; seed 004 calls it ReviewIssue. */
export const AdvisoryReviewIssue = z.object({
  /** Empty where the issue belongs to no file. */
  file: z.string(),
  /** 0 where the issue belongs to no line. */
  line: z.int().nonnegative(),
  severity: z.enum(["error", "warning", "suggestion"]),
  message: z.string(),
  suggestion: z.string().optional(),
});
export type AdvisoryReviewIssue = z.infer<typeof AdvisoryReviewIssue>;

/** What an advisory review came to; seed 004 calls it ReviewResult. */
export const AdvisoryReviewResult = z.object({
  passed: z.boolean(),
  issues: z.array(AdvisoryReviewIssue),
  summary: z.string(),
  /** The reviewer's own words, for debugging. */
  rawOutput: z.string().optional(),
});
export type AdvisoryReviewResult = z.infer<typeof AdvisoryReviewResult>;

/** The programs that can review a unit. */
export const ReviewProvider = z.enum(["codex", "claude"]);
export type ReviewProvider = z.infer<typeof ReviewProvider>;

/** The `code_review:` section of `.choo.yaml`. What it leaves out has its default. */
export const CodeReviewConfig = z.looseObject({
  enabled: z.boolean().default(true),
  provider: ReviewProvider.default("codex"),
  /** 0 reviews without fixing. */
  max_fix_iterations: z.int().min(0).default(1),
  /** Path of the reviewer's program; empty means the one on PATH. */
  command: z.string().default(""),
});
export type CodeReviewConfig = z.infer<typeof CodeReviewConfig>;

/** What holds where `.choo.yaml` says nothing. */
export const DEFAULT_CODE_REVIEW_CONFIG: CodeReviewConfig = {
  enabled: true,
  provider: "codex",
  max_fix_iterations: 1,
  command: "",
};

/** A command that has to succeed before a unit is reviewed. */
export const BaselineCheck = z.looseObject({ name: z.string().min(1), command: z.string().min(1) });
export type BaselineCheck = z.infer<typeof BaselineCheck>;

/** `.choo.yaml`, as far as it is ours; other sections are kept and ignored. */
export const ChooConfig = z.looseObject({
  claude: z.looseObject({}).optional(),
  baseline_checks: z.array(BaselineCheck).optional(),
  code_review: CodeReviewConfig.optional(),
});
export type ChooConfig = z.infer<typeof ChooConfig>;

/** The name of a unit: it names a folder and a branch, so it can never leave them. */
export const UnitName = z
  .string()
  .max(128)
  .regex(/^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*$/, "a unit name consists of letters, digits, dashes and single dots");
export type UnitName = z.infer<typeof UnitName>;

/** The front matter of `specs/tasks/{unit}/IMPLEMENTATION_PLAN.md`; the `orch_` fields are managed by the tool. */
export const PlanFrontMatter = z.looseObject({
  unit: UnitName,
  depends_on: z.array(z.string()).optional(),
  orch_status: z.string().optional(),
  orch_branch: z.string().optional(),
  orch_worktree: z.string().optional(),
  orch_pr_number: z.int().nonnegative().optional(),
});
export type PlanFrontMatter = z.infer<typeof PlanFrontMatter>;

/** The front matter of one task of a unit. */
export const UnitTask = z.looseObject({
  /** Its place in the unit: tasks run in this order. */
  task: z.int().positive(),
  status: z.string(),
  /** The command that shows that the task is done. */
  backpressure: z.string().min(1),
  depends_on: z.array(z.int().positive()).optional(),
});
export type UnitTask = z.infer<typeof UnitTask>;

/** A unit of tasks that share one worktree and one review. */
export const Unit = z.object({ plan: PlanFrontMatter, tasks: z.array(UnitTask) });
export type Unit = z.infer<typeof Unit>;
