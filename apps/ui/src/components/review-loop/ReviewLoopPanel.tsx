import type { ApiFinding, ApiLoopState } from "@anneal/types";
import { ActionBar } from "../views/review-view/decide/action-bar.tsx";
import { Escalation } from "../views/review-view/decide/escalation.tsx";
import { WaitingComments } from "../views/review-view/decide/waiting-comments.tsx";
import { FindingsList } from "../views/review-view/findings/findings-list.tsx";
import { StageRail } from "../views/review-view/rounds/stage-rail.tsx";

interface PanelProps {
  project: string;
  loop: ApiLoopState;
  findings: readonly ApiFinding[];
  selected: string | null;
  onSelect: (fingerprint: string | null) => void;
}

/** Where a loop stands, what it found, and what a person can do about it (seed 001). */
export function ReviewLoopPanel({ project, loop, findings, selected, onSelect }: PanelProps) {
  return (
    <div className="flex h-full flex-col">
      <div className="flex flex-col gap-2 border-b border-line p-3">
        <StageRail loop={loop} />
        <p className="text-sm">
          <span className="text-muted">Next: </span>
          {loop.next.sentence}
        </p>
        <Escalation project={project} loop={loop} />
        <ActionBar project={project} loop={loop} />
        <WaitingComments project={project} loop={loop} />
      </div>
      <div className="min-h-0 flex-1">
        <FindingsList project={project} loop={loop} findings={findings} selected={selected} onSelect={onSelect} />
      </div>
    </div>
  );
}
