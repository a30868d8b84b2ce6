import { useQuery } from "@tanstack/react-query";
import { findingsQuery, loopQuery } from "../../../../api/queries.ts";
import { ReviewLoopPanel } from "../../../review-loop/ReviewLoopPanel.tsx";
import { Failed, Loading } from "../../../ui/state.tsx";

interface PanelProps {
  project: string;
  loop: string;
  selected: string | null;
  onSelect: (fingerprint: string | null) => void;
}

/** The review of one card: its findings, its standing, and what can be done (seed 000). */
export function CodeReviewPanel({ project, loop, selected, onSelect }: PanelProps) {
  const state = useQuery(loopQuery(project, loop));
  const findings = useQuery(findingsQuery(project, loop));
  const error = state.error ?? findings.error;
  if (error !== null && (state.data === undefined || findings.data === undefined))
    return (
      <Failed what="the review" error={error} onRetry={() => void Promise.all([state.refetch(), findings.refetch()])} />
    );
  if (state.data === undefined || findings.data === undefined) return <Loading what="the review" />;
  return (
    <ReviewLoopPanel
      project={project}
      loop={state.data}
      findings={findings.data.findings}
      selected={selected}
      onSelect={onSelect}
    />
  );
}
