import type { FixerGets, Policy } from "@anneal/types";
import { completionReport, criteriaSection } from "./completion.ts";
import { type Composed, compose, join, section } from "./compose.ts";
import { contracts, factLines } from "./contracts.ts";
import type { PromptFence } from "./fence.ts";
import { fingerprintIndex } from "./finding-lists.ts";
import { loadPrompt } from "./load.ts";
import type { FixPromptRequest } from "./request.ts";

/** The prompt of a fixer: only what its policy hands it, then the task. */
export function fixPrompt(request: FixPromptRequest): Composed {
  const gets = (part: FixerGets) => request.policy.fixer.gets.includes(part);
  return compose(request.nonce, (fence) => ({
    system: [
      loadPrompt(contracts[request.policy.reviewer.contract].fixer),
      completionReport(request.workItem),
      "---",
      loadPrompt("protocol/fixer.md"),
    ],
    prompt: [
      section("## This Fix", facts(request, fence)),
      ...(handovers.some(({ part, workItem }) => gets(part) && workItem === "shown") ? workItem(request, fence) : []),
      ...handovers.filter(({ part }) => gets(part)).map(({ show }) => show(request, fence)),
      criteriaSection(request.workItem, fence),
      task(request, fence),
    ],
  }));
}

interface Handover {
  part: FixerGets;
  /** Whether a fixer with this part is also reminded of what was asked for. */
  workItem: "shown" | "not-shown";
  show(request: FixPromptRequest, fence: PromptFence): string | undefined;
}

/** In the order of seed 000 §6.1, then the other seeds' own parts. */
const handovers: Handover[] = [
  { part: "all-reviews", workItem: "shown", show: allReviews },
  { part: "open-findings", workItem: "shown", show: openFindings },
  { part: "previous-agent-output", workItem: "shown", show: previousWork },
  { part: "issues-by-severity", workItem: "shown", show: issuesBySeverity },
  { part: "revision-context", workItem: "shown", show: revisionContext },
  { part: "findings-document", workItem: "shown", show: findingsDocument },
  { part: "issues", workItem: "not-shown", show: issues },
];

const headings: Record<Policy["workItem"], string> = {
  feature: "# Feature",
  ticket: "# Ticket",
  story: "# Story",
  unit: "# Unit",
};

function workItem({ policy, workItem: item, implementationPrompt }: FixPromptRequest, fence: PromptFence): string[] {
  return [
    `${headings[policy.workItem]}: ${fence.line(item.title)}`,
    shown(fence, "description", item.description),
    shown(fence, "specification", item.spec),
    shown(fence, "what the agent before you was asked to do", implementationPrompt),
  ].filter((part) => part !== undefined);
}

function facts(request: FixPromptRequest, fence: PromptFence): string {
  return factLines(contracts[request.policy.reviewer.contract].fixFacts?.(request) ?? {}, fence);
}

function allReviews({ reviews = [], round }: FixPromptRequest, fence: PromptFence): string {
  const earlier = reviews.filter((review) => review.round < round).sort((a, b) => a.round - b.round);
  return join([
    "## Previous Code Review Findings",
    earlier.length === 0 ? "None: this was the first review." : undefined,
    ...earlier.map((review) =>
      section(`### Iteration ${review.round} Findings`, fence.block(`review ${review.round}`, review.text)),
    ),
  ]);
}

function openFindings(request: FixPromptRequest, fence: PromptFence): string {
  const { round, summary, rejectionReason } = request;
  return join([
    `## Current Code Review Findings from Iteration ${round}`,
    section("### Issues to Fix", listed(request, fence) ?? "None listed."),
    section("### Summary from Reviewer", shown(fence, "summary", summary) ?? "None given."),
    section("### Rejection Reason", shown(fence, "rejection reason", rejectionReason) ?? "None given."),
  ]);
}

function previousWork({ previousAgentOutput }: FixPromptRequest, fence: PromptFence): string | undefined {
  return section(
    "## Previous Agent Work",
    shown(fence, "report of the agent before you", previousAgentOutput) ?? "No report was kept.",
  );
}

function issuesBySeverity(request: FixPromptRequest, fence: PromptFence): string {
  return join(["## Review Issues", listed(request, fence)]);
}

function revisionContext(request: FixPromptRequest, fence: PromptFence): string {
  return join([
    section("## Epic Coordination Requirements", shown(fence, "epic coordination", request.epicCoordination)),
    "## Revision Instructions",
    shown(fence, "revision instructions", request.revisionInstructions) ?? issueList(request, fence),
    section("### Attempts So Far", shown(fence, "attempts", request.attempts)),
    section("### Findings and Their Fingerprints", fingerprints(request, fence)),
  ]);
}

function findingsDocument(request: FixPromptRequest, fence: PromptFence): string {
  return join([
    "## Findings Document",
    shown(fence, `findings of round ${request.round}`, request.findingsDocument) ?? issueList(request, fence),
    section("### Findings and Their Fingerprints", fingerprints(request, fence)),
  ]);
}

function issues(request: FixPromptRequest, fence: PromptFence): string | undefined {
  return section("## Issues", listed(request, fence));
}

/** The seeds' lists name no fingerprints, and a fixer refutes by them. */
function listed(request: FixPromptRequest, fence: PromptFence): string | undefined {
  const index = section("Their fingerprints:", fingerprints(request, fence));
  return join([issueList(request, fence), index]) || undefined;
}

function issueList(request: FixPromptRequest, fence: PromptFence): string | undefined {
  return shown(fence, "issues", request.issueList);
}

function fingerprints({ findings, words }: FixPromptRequest, fence: PromptFence): string | undefined {
  return shown(fence, "fingerprints", fingerprintIndex(findings, words));
}

function task({ round, maxRounds, validationResult, notes = [] }: FixPromptRequest, fence: PromptFence): string {
  const whoRules =
    round < maxRounds
      ? "The next reviewer rules on what you refute."
      : "No review follows this fix: what you refute is kept with your evidence for people to read.";
  return join([
    "## Task",
    `Deal with every finding above, the worst first: change the code so that it is gone, or refute it with evidence. This is the fix after round ${round}. ${whoRules} Check that what earlier rounds resolved is still resolved. End with the block that your rules ask for.`,
    section("The project's own checks said:", shown(fence, "validation result", validationResult)),
    peopleSay(notes),
  ]);
}

/** People in charge may instruct, so their notes are quoted and not fenced. */
export function peopleSay(notes: readonly string[]): string | undefined {
  if (notes.length === 0) return undefined;
  return join(["A person in charge adds:", ...notes.map((note) => `> ${note.trim().replaceAll(/\r?\n/g, "\n> ")}`)]);
}

function shown(fence: PromptFence, label: string, content: string | undefined): string | undefined {
  return content === undefined || content.trim() === "" ? undefined : fence.block(label, content);
}
