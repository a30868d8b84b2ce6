import type { ApiRoundLine } from "@anneal/types";
import { SEVERITIES } from "@anneal/types/scales";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { roundQuery, roundsQuery } from "../../../../api/queries.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { counted, money } from "../../../ui/numbers.ts";
import { Empty, Failed, Loading } from "../../../ui/state.tsx";
import { attemptsText, ReviewAttempts } from "./review-attempts.tsx";
import { Scorecard } from "./scorecard.tsx";

const VERDICTS = { pass: "good", fail: "bad", inconclusive: "warn" } as const;

interface HistoryProps {
  project: string;
  loop: string;
  /** Shows what a round changed. */
  onDiff: (from: string, to: string) => void;
}

/** Every round, newest first, with what it said and what answered it. */
export function HistoryPane({ project, loop, onDiff }: HistoryProps) {
  const { data, error, refetch } = useQuery(roundsQuery(project, loop));
  if (data === undefined && error !== null)
    return <Failed what="the rounds" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the rounds" />;
  if (data.rounds.length === 0 && data.attempts.length === 0)
    return <Empty title="No round yet.">No review has given a verdict.</Empty>;
  const newest = data.rounds.toReversed();
  return (
    <ol className="flex h-full flex-col gap-3 overflow-y-auto p-3">
      {data.attempts.length === 0 ? null : (
        <li className="flex flex-col gap-2 rounded-md border border-line bg-panel px-3 py-2">
          <span className="text-sm font-semibold">
            {data.rounds.length === 0 ? "No review has given a verdict yet" : "Since then"}
          </span>
          <ReviewAttempts attempts={data.attempts} />
        </li>
      )}
      {newest.map((round, index) => (
        <Round
          key={round.number}
          project={project}
          loop={loop}
          round={round}
          openAtFirst={index === 0}
          onDiff={onDiff}
        />
      ))}
    </ol>
  );
}

function Round({
  project,
  loop,
  round,
  openAtFirst,
  onDiff,
}: HistoryProps & { round: ApiRoundLine; openAtFirst: boolean }) {
  const [open, setOpen] = useState(openAtFirst);
  const counts = SEVERITIES.flatMap((severity) => {
    const count = round.findings[severity];
    return count === undefined || count === 0 ? [] : [`${count} ${severity}`];
  });
  const before = round.number === 1 ? "base" : String(round.number - 1);
  return (
    <li className="rounded-md border border-line bg-panel">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex w-full flex-wrap items-center gap-2 px-3 py-2 text-left text-sm"
      >
        <span className="font-semibold">Round {round.number}</span>
        <Badge tone={VERDICTS[round.verdict]}>{round.verdict}</Badge>
        <span className="text-muted">{counts.length === 0 ? "no findings" : counts.join(", ")}</span>
        {round.attempts.length === 0 ? null : <span className="text-warn">{attemptsText(round.attempts)}</span>}
        <span className="ml-auto text-xs text-muted">
          {round.by.named ?? round.by.agent} · {counted(round.reviewed, "file")} seen
          {round.skipped === 0 ? "" : `, ${round.skipped} not`}
          {round.usage.costUsd === undefined ? "" : ` · ${money(round.usage.costUsd)}`}
        </span>
      </button>
      {open ? (
        <div className="flex flex-col gap-3 border-t border-line p-3 text-sm">
          <p>{round.why}</p>
          {round.attempts.length === 0 ? null : <ReviewAttempts attempts={round.attempts} />}
          <p className="flex flex-wrap gap-2">
            <Button className="h-7 px-2 text-xs" onClick={() => onDiff(before, String(round.number))}>
              This round’s change
            </Button>
            <Button className="h-7 px-2 text-xs" onClick={() => onDiff("base", String(round.number))}>
              The whole change so far
            </Button>
          </p>
          <RoundDetails project={project} loop={loop} number={round.number} />
        </div>
      ) : null}
    </li>
  );
}

function RoundDetails({ project, loop, number }: { project: string; loop: string; number: number }) {
  const { data: round, error } = useQuery(roundQuery(project, loop, number));
  if (round === undefined && error !== null) return <Failed what={`round ${number}`} error={error} />;
  if (round === undefined) return <Loading what={`round ${number}`} />;
  const skipped = round.coverage.skipped;
  return (
    <>
      {round.scorecard === null ? null : <Scorecard card={round.scorecard} round={number} />}
      {skipped.length === 0 ? null : (
        <details>
          <summary className="cursor-pointer text-warn">
            Not seen by the reviewer: {counted(skipped.length, "file")}
          </summary>
          <ul className="mt-1 font-mono text-xs">
            {skipped.map(({ file: path, reason }) => (
              <li key={path}>
                {path} <span className="text-muted">({reason})</span>
              </li>
            ))}
          </ul>
        </details>
      )}
      {round.made.validation.map(({ at, result }) => (
        <p key={at} className="text-xs text-muted">
          Checks before this round: {result}
        </p>
      ))}
      {round.fix === null ? null : (
        <div className="rounded border border-line bg-page p-2">
          <p className="text-xs text-muted">
            Answered by{" "}
            {round.fix.commit === null ? (
              "a fix that changed nothing"
            ) : (
              <span className="font-mono">{round.fix.commit.slice(0, 10)}</span>
            )}
          </p>
          {round.fix.runs.map(({ at, said }) =>
            said === null ? null : (
              <p key={at} className="mt-1 whitespace-pre-wrap">
                {said}
              </p>
            ),
          )}
        </div>
      )}
    </>
  );
}
