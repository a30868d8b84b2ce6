import type { Contract, Finding, Policy, PromptCustomization, TrackedFinding } from "@anneal/types";

/** The part of a policy that decides what is in a prompt. */
export type PromptPolicy = Pick<Policy, "workItem" | "reviewer" | "fixer"> & { pass: Pick<Policy["pass"], "blocksAt"> };

/** What was asked for, in the words of whoever asked. */
export interface WorkItemText {
  id?: string;
  title: string;
  description: string;
  spec?: string;
  /** Where it is written down, from the top of the repository. */
  file?: string;
  /** What has to hold in the end; whoever builds it reports on each by its number. */
  criteria?: readonly string[];
  /** How many requirements it states, where they can be counted. */
  requirements?: number;
  /** Nobody asked for anything in particular: a branch as it is. */
  asks?: "nothing";
}

/** Files that tell an agent how this project does things. */
export interface ProjectContext {
  /** Shown up to its first 5,000 characters. */
  claudeMd?: string;
  /** The files of `.automaker/context/`. */
  files: { path: string; text: string }[];
}

/** How a seed calls a finding's severity and category. */
export type SeedWords = (finding: Finding) => { severity: string; category: string };

interface CommonRequest {
  policy: PromptPolicy;
  workItem: WorkItemText;
  /** The round that is reviewed, or whose review is being fixed. */
  round: number;
  maxRounds: number;
  /** Fresh and unguessable; it must not occur in anything that is shown. */
  nonce: string;
  branch?: string;
  baseBranch?: string;
  base?: string;
  head?: string;
  epicCoordination?: string;
  validationResult?: string;
  /** The native word where the finding has one, else the canonical one, if left out. */
  words?: SeedWords;
}

/** A diff as one text, or in blocks that each say what they are; shown to the letter, save a last line end. */
export type Diff = string | readonly DiffBlock[];

export interface DiffBlock {
  label: string;
  text: string;
}

/** One of several calls that together review a change which is too large for one. */
export interface ReviewPart {
  number: number;
  of: number;
  /** The files that other calls are shown, one per line. */
  elsewhere: string;
}

/** All that a reviewer could be shown; the policy picks from it. */
export interface ReviewPromptRequest extends CommonRequest {
  diffs: { round?: Diff; whole?: Diff };
  part?: ReviewPart;
  /** When this review takes place, as it should stand in the report. */
  reviewedAt?: string;
  earlierFindings?: TrackedFinding[];
  previousFeedback?: string;
  projectContext?: ProjectContext;
  /** Files of the change that are not in the diff, and why. */
  notShown?: { file: string; reason: string }[];
  custom?: PromptCustomization;
}

/** All that a fixer could be handed; the policy picks from it. */
export interface FixPromptRequest extends CommonRequest {
  /** The findings to fix, worst first. */
  findings: TrackedFinding[];
  /** The findings in the seed's own form. */
  issueList: string;
  /** Every review so far as it was written down, the current one included. */
  reviews?: { round: number; text: string }[];
  /** What the current review concluded. */
  summary?: string;
  rejectionReason?: string;
  implementationPrompt?: string;
  previousAgentOutput?: string;
  revisionInstructions?: string;
  /** How the attempts so far were judged, one line each. */
  attempts?: string;
  findingsDocument?: string;
  /** What people in charge want the fixer to know; unlike data, it may instruct. */
  notes?: string[];
}

/** The prompt of an implementer. */
export interface ImplementPromptRequest {
  kind: Policy["workItem"];
  workItem: WorkItemText;
  nonce: string;
  epicCoordination?: string;
  projectContext?: ProjectContext;
  /** Reviews of earlier attempts at the item. */
  reviews?: { round: number; text: string }[];
  notes?: string[];
}

/** The prompt of the second agent that confirms or refutes findings. */
export interface VerificationPromptRequest {
  nonce: string;
  workItem: WorkItemText;
  base: string;
  head: string;
  /** Numbered from 1 in this order; the code around each location at the head. */
  findings: { finding: Finding; code: string | null }[];
}

/** The prompt for a reviewer that left findings of earlier rounds unruled. */
export interface RulingsPromptRequest {
  nonce: string;
  workItem: WorkItemText;
  base: string;
  head: string;
  /** What its report says in short. */
  summary: string;
  /** Numbered from 1 in this order; the code around each location at the head. */
  findings: { entry: TrackedFinding; code: string | null }[];
  words?: SeedWords;
}

/** The prompt that asks a reviewer whether two findings are one. */
export interface SamePromptRequest {
  nonce: string;
  /** Each with its short name: earlier ones where they stand now, and those of this round. */
  earlier: { name: string; finding: Finding }[];
  now: { name: string; finding: Finding }[];
  /** By those names. */
  pairs: { earlier: string; now: string }[];
}

/** The prompt for a reviewer whose answer breaks its form. */
export interface RepairPromptRequest {
  nonce: string;
  contract: Contract;
  /** All that is wrong with the form. */
  problems: readonly string[];
  answer: string;
  /** Whether the first request asked for rulings. */
  rulings: "asked" | "not-asked";
}

/** The prompt of the analyst that drafts the reply to one question of a pull request. */
export interface QuestionPromptRequest {
  nonce: string;
  workItem: WorkItemText;
  base: string;
  head: string;
  diff: string;
  /** Files of the change that are not in the diff, one per line. */
  notShown: string;
  question: { sourceId: number; author: string; question: string };
}
