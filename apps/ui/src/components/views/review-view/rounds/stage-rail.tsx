import type { ApiLoopState, ApiRailStop, Stage, WaitReason } from "@anneal/types";
import { words } from "../../../ui/words.ts";

const LOOKS: Readonly<Record<ApiRailStop["standing"], { mark: string; className: string; told: string }>> = {
  done: { mark: "✓", className: "text-good", told: "done" },
  now: { mark: "◐", className: "bg-accent-soft text-accent font-medium", told: "under way" },
  waiting: { mark: "!", className: "bg-accent-soft text-accent font-medium", told: "waits for you" },
  ahead: { mark: "○", className: "text-muted", told: "to come" },
  skipped: { mark: "–", className: "text-muted", told: "left out" },
};

/** Waits that are on the way: nothing went wrong. */
const ROUTINE: readonly (WaitReason | null)[] = ["ready-for-human", "approval", "requirements-not-judged", "paused"];

const STAGES: Readonly<Record<Stage, string>> = {
  implementing: "Implement",
  validating: "Check",
  committing: "Commit",
  reviewing: "Review",
  fixing: "Fix",
  "opening-pr": "Open PR",
  "awaiting-feedback": "Feedback",
  "waiting-for-human": "Needs you",
  merging: "Merge",
  ended: "End",
};

/** The way that the loop goes, with the place where it is. */
export function StageRail({ loop }: { loop: ApiLoopState }) {
  return (
    <ol aria-label="Stages" className="flex flex-wrap items-center gap-x-1 gap-y-1 text-xs">
      {loop.rail.map(({ stage, name, standing, visits }, index) => {
        const { className, told, ...look } = LOOKS[standing];
        const mark = standing === "waiting" && ROUTINE.includes(loop.reason) ? LOOKS.now.mark : look.mark;
        return (
          <li key={stage} className="flex items-center gap-1">
            <span
              className={`flex items-center gap-1 rounded px-1.5 py-0.5 whitespace-nowrap ${className}`}
              title={words(name)}
              aria-current={standing === "now" || standing === "waiting" ? "step" : undefined}
            >
              <span aria-hidden="true">{mark}</span>
              {STAGES[stage]}
              {visits > 1 ? <span title={`${visits} times`}>×{visits}</span> : null}
              <span className="sr-only">{told}</span>
            </span>
            {index === loop.rail.length - 1 ? null : <span className="text-muted">—</span>}
          </li>
        );
      })}
    </ol>
  );
}
