import { z } from "zod";
import { Severity } from "../review/finding.ts";

/** One end of a diff: where the loop started, where it stands, or what a round judged. */
export const DiffEnd = z
  .string()
  .regex(/^(?:base|head|[1-9]\d{0,3})$/, "base, head, or the number of a round")
  .meta({ examples: ["base", "head", "1"] });

/** How one file differs between two commits of a loop. */
export const ApiDiffFile = z.object({
  path: z.string(),
  oldPath: z.string().nullable(),
  status: z.enum(["added", "modified", "deleted", "renamed", "copied", "type-changed"]),
  added: z.int().nonnegative(),
  removed: z.int().nonnegative(),
  binary: z.boolean(),
  /** Written by a tool or taken over from elsewhere, as far as its path says. */
  generated: z.boolean(),
  /** The name of its content after the change: whoever has looked at it knows by this that it is still the same. Null where the file is gone. */
  blob: z.string().nullable(),
  /** Size after the change; 0 where the file is gone. */
  bytes: z.int().nonnegative(),
  /** Why its content is not shown. */
  skipped: z.string().nullable(),
});
export type ApiDiffFile = z.infer<typeof ApiDiffFile>;

const ends = { from: z.string(), to: z.string() };

export const ApiDiffFiles = z.object({
  /** The commits that are compared. */
  ...ends,
  files: z.array(ApiDiffFile),
  added: z.int().nonnegative(),
  removed: z.int().nonnegative(),
  next: z.string().nullable(),
});
export type ApiDiffFiles = z.infer<typeof ApiDiffFiles>;

/** What each round did to each file, and what it found there. */
export const ApiFileMatrix = z.object({
  rounds: z.array(z.object({ number: z.int().positive(), head: z.string(), since: z.string() })),
  files: z.array(
    z.object({
      path: z.string(),
      generated: z.boolean(),
      /** One cell for each round, in the same order. */
      cells: z.array(
        z.object({
          added: z.int().nonnegative(),
          removed: z.int().nonnegative(),
          changed: z.boolean(),
          findings: z.int().nonnegative(),
          worst: Severity.nullable(),
        }),
      ),
    }),
  ),
  next: z.string().nullable(),
});
export type ApiFileMatrix = z.infer<typeof ApiFileMatrix>;

/** A transcript's name in addresses: the stage that its agents worked in, and which turn at it that was. */
export const TranscriptId = z
  .string()
  .regex(/^(?:implementing|reviewing|fixing)-[1-9]\d{0,4}$/, "a transcript's id is a stage and a number");

/** The record of one run of a loop's agents. */
export const ApiTranscript = z.object({
  id: TranscriptId,
  /** The round that the work belongs to. */
  round: z.int().positive(),
  role: z.enum(["implementer", "reviewer", "fixer"]),
  /** Null while it is not known. */
  agent: z.string().nullable(),
  /** So far, for one that runs; 0 where the record is gone. */
  bytes: z.int().nonnegative(),
  state: z.enum(["running", "ended", "gone"]),
  /** Why the run failed; null if it did not. */
  failed: z.string().nullable(),
  /** The length of the agent's prompt in bytes; null if it is not on record, as while the run lasts. */
  promptBytes: z.int().nonnegative().nullable(),
  /** When it began, for one that runs, else when it ended. */
  at: z.int(),
});
export type ApiTranscript = z.infer<typeof ApiTranscript>;

/** A pull request as the log knows it; the forge is not asked. */
export const ApiPullRequest = z.object({
  number: z.int().positive(),
  url: z.string(),
  draft: z.boolean(),
  /** What somebody merged, where nobody has reviewed that. */
  mergedHead: z.string().nullable(),
  /** As it was heard last; null where nobody has heard of it yet. */
  state: z.enum(["open", "approved", "merged", "closed"]).nullable(),
  heardAt: z.int().nullable(),
  /** The head that this is about, and whether it is the loop's. */
  head: z.string().nullable(),
  current: z.boolean(),
  checks: z
    .object({ state: z.enum(["pending", "passing", "failing", "none"]), failing: z.array(z.string()) })
    .nullable(),
  /** The word of the reviewers: whether they approve, object, or have not decided. */
  reviews: z.enum(["approved", "changes-requested", "none"]),
  summary: z.string(),
  /** Changes that people ask for, with the answer that stands or will be given. */
  requests: z.array(
    z.object({
      source: z.enum(["comment", "review", "check"]),
      sourceId: z.int(),
      author: z.string(),
      severity: z.enum(["critical", "high", "medium", "low"]),
      file: z.string().nullable(),
      line: z.int().nullable(),
      text: z.string(),
      suggestion: z.string().nullable(),
      reply: z.string().nullable(),
    }),
  ),
  questions: z.array(
    z.object({ sourceId: z.int(), author: z.string(), question: z.string(), reply: z.string().nullable() }),
  ),
  needsPerson: z.array(z.string()),
});
export type ApiPullRequest = z.infer<typeof ApiPullRequest>;

/** A reply to a question of a pull request, for a person to look over and to give. */
export const ApiDraftedReply = z.object({ draft: z.string().min(1) });
export type ApiDraftedReply = z.infer<typeof ApiDraftedReply>;
