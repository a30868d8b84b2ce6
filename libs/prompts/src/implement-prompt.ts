import { completionReport, criteriaSection } from "./completion.ts";
import { type Composed, compose, section } from "./compose.ts";
import { peopleSay } from "./fix-prompt.ts";
import { loadPrompt } from "./load.ts";
import { projectContextSection } from "./project-context.ts";
import type { ImplementPromptRequest } from "./request.ts";

/** The prompt of the agent that builds a work item. */
export function implementPrompt(request: ImplementPromptRequest): Composed {
  const { kind, workItem, epicCoordination, reviews = [], notes = [] } = request;
  return compose(request.nonce, (fence) => {
    const context = projectContextSection(request.projectContext, fence);
    return {
      system: [
        loadPrompt(`implementer/${kind}.md`),
        loadPrompt("implementer/rules.md"),
        completionReport(workItem),
        context.text && "---",
        context.text,
      ],
      prompt: [
        `# ${fence.line(workItem.title)}`,
        fence.block(kind, workItem.description),
        section("## Specification", workItem.spec && fence.block("specification", workItem.spec)),
        section(
          "## Epic Coordination Requirements",
          epicCoordination && fence.block("epic coordination", epicCoordination),
        ),
        criteriaSection(workItem, fence),
        reviews.length === 0 ? undefined : `## Previous Code Review Findings\n\n${EARLIER_ATTEMPT}`,
        ...reviews.map(({ round, text }) =>
          section(`### Iteration ${round} Findings`, fence.block(`review ${round}`, text)),
        ),
        section("## Task", "Build what is described above, completely, by your rules. End with your report."),
        peopleSay(notes),
      ],
      notes: context.notes,
    };
  });
}

const EARLIER_ATTEMPT =
  "An earlier attempt at this was reviewed as follows. You start afresh, so the lines may be gone; do not repeat what was found.";
