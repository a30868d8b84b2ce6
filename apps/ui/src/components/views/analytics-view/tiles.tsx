import type { AnalyticsSummary } from "@anneal/types";
import { counted, money } from "../../ui/numbers.ts";
import { average, count, percent } from "./charts/format.ts";
import { Tile } from "./tile.tsx";
import { TimeSaved } from "./time-saved.tsx";

/** The numbers that people ask for first. */
export function Tiles({ project, summary }: { project: string; summary: AnalyticsSummary }) {
  const { loops, reviews, fixes, issuesFound, issuesAutoFixed } = summary;
  return (
    <dl className="grid grid-cols-2 gap-3 md:grid-cols-3 xl:grid-cols-6">
      <Tile
        name="Average rounds"
        value={average(summary.averageIterations)}
        note={
          summary.averageIterationsBeforePr === null
            ? "reviews until a loop passes"
            : `until a loop passes; ${average(summary.averageIterationsBeforePr)} before a pull request`
        }
      />
      <Tile
        name="Passed at the first review"
        value={percent(summary.firstPassRate)}
        note={`of ${counted(loops, "loop")}`}
      />
      <Tile
        name="Fixed automatically"
        value={count(issuesAutoFixed)}
        note={`of ${counted(issuesFound, "finding")}, in ${counted(fixes, "fix", "fixes")}`}
      />
      <Tile
        name="Resolved"
        value={percent(summary.resolutionRate)}
        note="of all findings were fixed, refuted, dismissed or accepted"
      />
      {summary.timeSaved.isTrivial === true ? null : <TimeSaved project={project} saved={summary.timeSaved} />}
      <Tile
        name="Cost"
        value={money(summary.costUsd)}
        note={`${counted(summary.tokens, "token")} in ${counted(reviews, "review")}`}
      />
    </dl>
  );
}
