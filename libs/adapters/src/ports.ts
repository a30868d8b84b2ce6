import type { Change } from "@anneal/git/read/diff/change";
import type { Coverage, Look, NotifyMessage, Report, TrackedFinding, Usage } from "@anneal/types";

export type { Change } from "@anneal/git/read/diff/change";
export type { Clock } from "@anneal/system/clock";

/** Judges a change. Not every reviewer is an agent: linters, `codex review` and webhooks fit here too. */
export interface Reviewer {
  name: string;
  /** Whether it judges if the change does what was asked, or only how it is written. */
  requirements: "judged" | "not-judged";
  /** Whose model it is, where that is known. */
  provider?: string;
  review(change: Change, signal: AbortSignal, onProgress?: (message: string) => void): Promise<ReviewAnswer>;
  /** Answers questions about texts, for a reviewer behind which there is an agent. */
  questionAgent?: QuestionAgent;
}

/** An agent that is asked something in a call of its own, which knows nothing of the review and sees no repository. */
export interface QuestionAgent {
  name: string;
  ask(question: Pick<AgentRequest, "prompt" | "schema" | "again">, signal: AbortSignal): Promise<AgentRun>;
}

export interface ReviewAnswer {
  report: Report;
  coverage: Coverage;
  usage: Usage;
  model?: string;
  /** The reviewer's prompt, where it had one. */
  prompt?: string;
  /** All that the reviewer said, where an agent or a person wrote it. */
  words?: string;
  /** Where several looked: what each of them said by itself. */
  looks?: LookAnswer[];
  /** It changed the repository that it was to read: nothing that anybody else says counts. */
  tampered?: true;
  /** It could not answer, and asking again cannot help before a person has mended something. */
  lasting?: true;
}

/** A look as its reviewer gave it; the engine says who played and keeps a hash of the prompt. */
export type LookAnswer = Omit<Look, "by" | "promptHash"> & { agent: string; model?: string; prompt?: string };

/** Changes the files of a worktree so that findings go away. It never commits: we do. */
export interface Fixer {
  name: string;
  fix(request: FixRequest, signal: AbortSignal): Promise<FixAnswer>;
}

export interface FixRequest {
  worktree: string;
  /** The open findings, worst first. */
  findings: TrackedFinding[];
  /** The rendered fixer prompt, for fixers that read prose. */
  prompt: string;
  /** Which run of the fixer this is in its loop, from 1. */
  turn?: number;
  /** Puts the work tree back as it was, before the same run is tried once more. */
  restore?: () => Promise<void>;
}

export interface FixAnswer {
  /** Findings that the fixer calls wrong, with its evidence; the next review rules on them. */
  refutations: { fingerprint: string; evidence: string }[];
  /** Fingerprints of what it fixed, where it says so. */
  addressed?: string[];
  /** What it says it did. */
  text: string;
  usage: Usage;
  model?: string;
}

export type Role = "reviewer" | "fixer" | "implementer" | "analyst";

/** What an agent can be trusted to do by itself; the engine makes up for the rest. */
export interface Capabilities {
  schema: "native" | "forwarded" | "prompted";
  readOnly: "os" | "toolset" | "config" | "none";
  cost: "reported" | "estimated" | "none";
  streaming: "events" | "none";
}

export interface AgentRequest {
  role: Role;
  /** Handed over on stdin or in a file, never as one argument. */
  prompt: string;
  cwd: string;
  /** JSON schema of the wanted answer. */
  schema?: object;
  model?: string;
  /** Which run of this role this is in its loop, from 1; a run that is repeated after a crash keeps its number. */
  turn?: number;
  /** A second request in the same turn: for rulings that the first answer left out, for the same answer in its form, about which findings are the same, or whether it approves without reservation. */
  again?: "rulings" | "form" | "same" | "approval";
  limits: { timeoutMs: number; silenceMs?: number };
  /** Puts the work tree back as it was, before the same run is tried once more. */
  restore?: () => Promise<void>;
  onEvent?: (event: AgentEvent) => void;
}

/** What is seen of an agent while it works: its words, its tools and what they gave back, and remarks on the run. */
export type AgentEvent =
  | { kind: "text"; text: string }
  | { kind: "tool"; name: string; detail: string }
  | { kind: "result"; name: string; detail: string }
  | { kind: "note"; text: string };

export interface AgentRun {
  /** `finished` only when the agent's own terminal event was seen; everything else is not an answer. */
  status: "finished" | "failed" | "timed-out" | "cancelled";
  text: string;
  structured?: unknown;
  /** Why it did not finish. */
  error?: string;
  usage: Usage;
  model?: string;
  /** The provider turned it away: asked too much, or overloaded, or out of order; null where it did not say when to come back. */
  rateLimited?: { retryAfterMs: number | null };
  /** Trying again cannot help, a person has to mend something: not installed, not signed in, no such model. */
  lasting?: true;
}

/** A program that plays a role: Claude Code, Codex, a script… */
export interface Agent {
  name: string;
  capabilities: Capabilities;
  run(request: AgentRequest, signal: AbortSignal): Promise<AgentRun>;
}

/** Brings a message to people. */
export interface Notifier {
  name: string;
  /** A message that is sent twice is there once. */
  keyed?: true;
  send(message: NotifyMessage, signal: AbortSignal): Promise<SendResult>;
}

/** What became of a message. No reason holds a secret. */
export type SendResult =
  | { result: "sent" }
  /** It did not arrive, and may later. */
  | { result: "later"; why: string; retryAfterMs: number | null }
  /** It did not arrive, and cannot before a person has mended something. */
  | { result: "refused"; why: string }
  /** It may have arrived: whoever sends it again may tell people twice. */
  | { result: "unclear"; why: string };
