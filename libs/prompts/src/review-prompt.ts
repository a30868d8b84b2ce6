import type { ReviewerSees, Severity } from "@anneal/types";
import { SEVERITIES } from "@anneal/types/scales";
import { CODE_REVIEW_VARIABLES } from "./code-review.ts";
import { type Composed, compose, join, section } from "./compose.ts";
import { contracts, factLines, protocolOf } from "./contracts.ts";
import type { PromptFence } from "./fence.ts";
import { earlierFindings } from "./finding-lists.ts";
import { loadPrompt } from "./load.ts";
import { mergeAllPrompts } from "./merge.ts";
import { projectContextSection } from "./project-context.ts";
import { render } from "./render.ts";
import type { Diff, ReviewPromptRequest } from "./request.ts";

/** The prompt of a reviewer: only what its policy lets it see, whatever else the request holds. */
export function reviewPrompt(request: ReviewPromptRequest): Composed {
  const seen = onlySeen(request);
  return compose(request.nonce, (fence) => {
    const context = projectContextSection(seen.projectContext, fence);
    const opening = seen.policy.reviewer.contract === "decision-text" ? fromTemplate(seen, fence) : plain(seen, fence);
    return {
      system: [opening.role, context.text && "---", context.text],
      prompt: [
        ...opening.prompt,
        partSection(seen, fence),
        section("## Whole Change Since the Base", secondDiff(seen, fence)),
        section("## Epic Coordination Requirements", block(fence, "epic coordination", seen.epicCoordination)),
        section("## Validation Result", block(fence, "validation result", seen.validationResult)),
        section("## Previous Review Feedback", block(fence, "feedback of the review before", seen.previousFeedback)),
        section("## Earlier Findings", block(fence, "findings of earlier rounds", listOf(seen))),
        section("## Not Shown", block(fence, "files of the change that are not in the diff", notShown(seen))),
        protocolOf(seen.policy.reviewer.contract, hasOpen(seen) ? "asked" : "not-asked"),
      ],
      unknown: opening.unknown,
      notes: [...opening.notes, ...context.notes, ...(isEmpty(mainDiff(seen)) ? ["No diff is shown."] : [])],
    };
  });
}

interface Opening {
  role: string;
  prompt: (string | undefined)[];
  unknown: string[];
  notes: string[];
}

/** Drops everything that the policy does not list, so that no section can show it by mistake. */
function onlySeen(request: ReviewPromptRequest): ReviewPromptRequest {
  const sees = (part: ReviewerSees) => request.policy.reviewer.sees.includes(part);
  const { earlierFindings, projectContext, epicCoordination, validationResult, previousFeedback, ...rest } = request;
  const { title, description, spec, ...item } = request.workItem;
  const { round, whole } = request.diffs;
  return {
    ...rest,
    workItem: {
      ...item,
      title: sees("work-item") ? title : "",
      description: sees("work-item") ? description : "",
      ...(sees("spec") && spec !== undefined && { spec }),
    },
    diffs: {
      ...(sees("round-diff") && round !== undefined && { round }),
      ...(sees("whole-diff") && whole !== undefined && { whole }),
    },
    ...(sees("earlier-findings") && earlierFindings && { earlierFindings }),
    ...(sees("project-context") && projectContext && { projectContext }),
    ...(sees("epic-coordination") && epicCoordination && { epicCoordination }),
    ...(sees("validation-result") && validationResult && { validationResult }),
    ...(sees("previous-feedback") && previousFeedback && { previousFeedback }),
  };
}

/** Seed 000's request: the template that people may have rewritten, filled in with fenced values. */
function fromTemplate(request: ReviewPromptRequest, fence: PromptFence): Opening {
  const { reviewSystemPrompt, reviewPromptTemplate } = mergeAllPrompts(request.custom).codeReview;
  const variables: Record<(typeof CODE_REVIEW_VARIABLES)[number], string | undefined> = {
    featureTitle: fence.line(request.workItem.title),
    featureDescription: block(fence, "feature description", request.workItem.description),
    gitDiff: diffBlocks(fence, "diff", mainDiff(request)),
    featureSpec: block(fence, "feature specification", request.workItem.spec),
  };
  const { text, unknown, unused, notes } = render(reviewPromptTemplate.value, variables);
  const forgotten = CODE_REVIEW_VARIABLES.filter((name) => unused.includes(name) && variables[name]);
  return {
    role: reviewSystemPrompt.value,
    prompt: [
      text,
      // A template that leaves out the diff or the requirements would have the reviewer judge what it never saw.
      ...forgotten.map((name) => section(appendedUnder[name], variables[name])),
      section("## This Review", facts(request, fence)),
    ],
    unknown,
    notes: [...notes, ...forgotten.map((name) => `The template does not use {${name}}: it was added below it.`)],
  };
}

const appendedUnder = {
  featureTitle: "## Feature Title",
  featureDescription: "## Feature Description",
  gitDiff: "## Code Changes",
  featureSpec: "## Specification",
} as const;

function plain(request: ReviewPromptRequest, fence: PromptFence): Opening {
  const { contract } = request.policy.reviewer;
  const { title, description, spec } = request.workItem;
  const asked = fence.line(contracts[contract].request?.(request.workItem) ?? "Review Request");
  const heading = title === "" ? `# ${asked}` : `# ${asked}: ${fence.line(title)}`;
  return {
    role: loadPrompt(contracts[contract].reviewer),
    prompt: [
      heading,
      section("## This Review", facts(request, fence)),
      section("## Work Item", block(fence, request.policy.workItem, description)),
      section("## Specification", block(fence, "specification", spec)),
      section("## Code Changes", diffBlocks(fence, "diff", mainDiff(request))),
    ],
    unknown: [],
    notes: [],
  };
}

function facts(request: ReviewPromptRequest, fence: PromptFence): string {
  const known = contracts[request.policy.reviewer.contract].facts(request);
  return factLines({ ...known, "What blocks": blockingWords(request) }, fence);
}

/** The threshold of this loop, in the words of the answer. */
function blockingWords({ policy, words }: ReviewPromptRequest): string {
  const { blocksAt } = policy.pass;
  const grave = SEVERITIES.slice(0, SEVERITIES.indexOf(blocksAt) + 1);
  const wordOf = (severity: Severity) =>
    words?.({ category: "logic", severity, title: "", description: "" }).severity ?? severity;
  const all = [...new Set(grave.map(wordOf))];
  return `${all.join(", ")}${blocksAt === "info" ? " (everything that is reported)" : ""}`;
}

/** Tells a reviewer that sees only some files of a change which others there are. */
function partSection({ part }: ReviewPromptRequest, fence: PromptFence): string | undefined {
  if (part === undefined) return undefined;
  const others = block(fence, "files of the change that are in other parts", part.elsewhere);
  return join([`## Part ${part.number} of ${part.of}`, loadPrompt("protocol/part.md"), others]);
}

function mainDiff({ diffs }: ReviewPromptRequest): Diff | undefined {
  return diffs.round ?? diffs.whole;
}

/** In the first round both diffs are the same change. */
function secondDiff({ diffs, round }: ReviewPromptRequest, fence: PromptFence): string | undefined {
  return round > 1 && diffs.round !== undefined
    ? diffBlocks(fence, "diff of the whole change", diffs.whole)
    : undefined;
}

function listOf({ earlierFindings: findings, words }: ReviewPromptRequest): string | undefined {
  return findings && findings.length > 0 ? earlierFindings(findings, words) : undefined;
}

/** Only what is open is ruled on; the rest is there to be checked, and is reported anew where it came back. */
function hasOpen({ earlierFindings: findings = [] }: ReviewPromptRequest): boolean {
  return findings.some(
    ({ disposition }) => disposition.kind === "open" || (disposition.kind === "fixed" && disposition.unconfirmed),
  );
}

function notShown({ notShown: files }: ReviewPromptRequest): string | undefined {
  return files?.map(({ file, reason }) => `- ${file}: ${reason}`).join("\n");
}

function isEmpty(diff: Diff | undefined): boolean {
  return diff === undefined || (typeof diff === "string" ? diff.trim() === "" : diff.length === 0);
}

function diffBlocks(fence: PromptFence, label: string, diff: Diff | undefined): string | undefined {
  if (diff === undefined || isEmpty(diff)) return undefined;
  const blocks = typeof diff === "string" ? [{ label, text: diff }] : diff;
  return blocks.map((one) => fence.exact(one.label, one.text)).join("\n\n");
}

function block(fence: PromptFence, label: string, content: string | undefined): string | undefined {
  return content === undefined || content.trim() === "" ? undefined : fence.block(label, content);
}
