import type { RefinementResult, ReviewIssue, ReviewResult } from "@anneal/types";
import { holdsBack } from "./seed-verdict.ts";
import { goOn, type ServiceProject, tell } from "./service-project.ts";

/** Seed 001's refinement: a feature's loop is sent back to its fixer with what a review found. */
export class RefinementService {
  readonly #project: ServiceProject;

  constructor(project: ServiceProject) {
    this.#project = project;
  }

  /** Goes on until the loop rests again. The loop's own limits hold: it never refines without end. */
  async refineCode(featureId: string, reviewResult: ReviewResult): Promise<RefinementResult> {
    const told: RefinementResult[] = [];
    const listening: ServiceProject = {
      ...this.#project,
      onEvent: (event) => {
        if (event.type === "review-loop:refinement-completed") told.push(event.payload.result);
        this.#project.onEvent?.(event);
      },
    };
    await tell(listening, featureId, ["refine", "resume", "one-more"], noteOf(reviewResult.issues));
    const state = await goOn(listening, featureId);
    const ids = reviewResult.issues.map(({ id }) => id);
    const became = (kind: string) =>
      ids.filter((id) => state.findings.some((one) => one.fingerprint === id && one.disposition.kind === kind));
    const addressed = new Set([...became("fixed"), ...told.flatMap(({ addressedIssueIds }) => addressedIssueIds)]);
    return {
      addressedIssueIds: ids.filter((id) => addressed.has(id)),
      // What no later review ruled on counts as not addressed.
      unaddressedIssueIds: ids.filter((id) => !addressed.has(id)),
      newIssuesIntroduced: told.flatMap(({ newIssuesIntroduced }) => newIssuesIntroduced),
      notes:
        told.map(({ notes }) => notes).join(" ") || ("detail" in state ? state.detail : `It is ${state.stage} now.`),
    };
  }

  /** Whether everything that blocks was addressed. */
  evaluateRefinement(original: ReviewResult, addressed: string[]): boolean {
    const done = new Set(addressed);
    return original.issues.every((issue) => !holdsBack(issue, this.#project.config) || done.has(issue.id));
  }
}

function noteOf(issues: readonly ReviewIssue[]): string {
  const lines = issues.map(({ severity, file, lineStart, description, suggestedFix }) => {
    const place = file === undefined ? "" : ` ${file}${lineStart === undefined ? "" : `:${lineStart}`}`;
    return `- ${severity}${place}: ${description}${suggestedFix === undefined ? "" : ` (${suggestedFix})`}`;
  });
  return `Address these issues:\n${lines.join("\n")}`;
}
