import type { ApiFinding, ApiFindingInRound } from "@anneal/types";
import { Badge } from "../../../ui/badge.tsx";
import { words } from "../../../ui/words.ts";
import { FindingActions } from "./finding-actions.tsx";
import { SEVERITY_TONES } from "./severity.ts";

interface RowProps {
  one: ApiFinding;
  selected: boolean;
  onSelect: () => void;
  onAct: (action: ApiFinding["actions"][number]) => void;
  /** Shows what fixed it. */
  onFix: () => void;
}

/** A finding: one line, and everything about it when it is chosen. */
export function FindingRow({ one, selected, onSelect, onAct, onFix }: RowProps) {
  const { finding, fingerprint } = one;
  return (
    <li data-finding={fingerprint} className={`border-b border-line ${selected ? "bg-raised" : ""}`}>
      <button
        type="button"
        aria-expanded={selected}
        onClick={onSelect}
        className="flex w-full flex-col items-start gap-1 px-3 py-2 text-left hover:bg-raised"
      >
        <span className="flex flex-wrap items-center gap-1.5">
          <Badge
            tone={SEVERITY_TONES[finding.severity]}
            title={`The reviewer’s severity: ${finding.native?.severity ?? finding.severity}`}
          >
            {finding.severity}
          </Badge>
          <span className="text-sm font-medium wrap-anywhere">{finding.title}</span>
        </span>
        <span className="flex flex-wrap items-center gap-x-2 text-xs text-muted">
          {finding.file === undefined ? (
            <span>the whole change</span>
          ) : (
            <span className="font-mono break-all">
              {finding.file}
              {finding.line === undefined ? "" : `:${finding.line}`}
            </span>
          )}
          <Lifecycle rounds={one.rounds} />
        </span>
      </button>
      {selected ? <FindingDetails one={one} onAct={onAct} onFix={onFix} /> : null}
    </li>
  );
}

const MARKS: Readonly<Record<string, string>> = {
  new: "●",
  persisting: "●",
  regressed: "↺",
  moved: "→",
  resolved: "✓",
};

/** What became of it, round by round. */
function Lifecycle({ rounds }: { rounds: readonly ApiFindingInRound[] }) {
  return (
    <span className="flex items-center gap-1">
      {rounds.map(({ round, lifecycle, disposition }) => (
        <span key={round} title={`Round ${round}: ${lifecycle}, ${words(disposition)}`}>
          <span aria-hidden="true">
            {MARKS[lifecycle] ?? "●"}
            {round}
          </span>
          <span className="sr-only">
            round {round}: {lifecycle}
          </span>
        </span>
      ))}
    </span>
  );
}

function FindingDetails({ one, onAct, onFix }: Pick<RowProps, "one" | "onAct" | "onFix">) {
  const { finding, origin, disposition, refutation, fix, rulings } = one;
  const blame = { change: "the change itself", fix: "a fix", "pre-existing": "existing code" }[origin.kind];
  return (
    <div className="flex flex-col gap-2 px-3 pb-3 text-sm">
      <p className="wrap-anywhere whitespace-pre-wrap">{finding.description}</p>
      {finding.impact === undefined ? null : <Line name="Why it matters">{finding.impact}</Line>}
      {finding.suggestion === undefined ? null : <Line name="Suggested">{finding.suggestion}</Line>}
      <Line name="Comes from">
        {origin.kind === "fix" ? `the fix of round ${origin.round}` : blame}, {finding.category}
        {finding.seenBy === undefined ? "" : `, seen by ${finding.seenBy.join(", ")}`}
      </Line>
      {finding.verification === undefined ? null : (
        <Line name={`Checked by ${finding.verification.by}`}>
          {finding.verification.result}: {finding.verification.evidence}
        </Line>
      )}
      {refutation === null ? null : <Line name="The fixer disagrees">{refutation}</Line>}
      {disposition.kind === "open" ? null : <Line name="Settled">{words(disposition.kind)}</Line>}
      {fix === null ? null : (
        <Line name="Fixed by">
          <span className="font-mono">{fix.commit.slice(0, 10)}</span> in round {fix.round}
          {fix.hunk === null ? "" : `, ${fix.hunk.file}:${fix.hunk.start}`}{" "}
          <button type="button" className="font-medium text-accent underline" onClick={onFix}>
            {fix.hunk === null ? "Show the change" : "Show the hunk"}
          </button>
        </Line>
      )}
      {rulings.map(({ at, by, disposition: ruled, reason }) => (
        <Line key={at} name={`${by} said`}>
          {words(ruled)}: {reason}
        </Line>
      ))}
      <FindingActions actions={one.actions} onAct={onAct} />
    </div>
  );
}

function Line({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <p className="text-xs wrap-anywhere">
      <span className="text-muted">{name}: </span>
      {children}
    </p>
  );
}
