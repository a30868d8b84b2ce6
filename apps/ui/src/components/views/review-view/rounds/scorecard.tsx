import type { ApiScorecard } from "@anneal/types";
import { Badge } from "../../../ui/badge.tsx";
import { words } from "../../../ui/words.ts";

/** The six dimensions of a ticket's review, each with what it has to reach. */
export function Scorecard({ card, round }: { card: ApiScorecard; round: number }) {
  return (
    <section aria-label={`Scorecard of round ${round}`} className="rounded-md border border-line bg-panel">
      <h2 className="flex items-center gap-2 border-b border-line px-3 py-2 text-sm font-semibold">
        Scorecard
        <Badge tone={card.passes ? "good" : "bad"}>
          {card.overall} overall, {card.overallAtLeast} needed
        </Badge>
      </h2>
      <table className="w-full text-sm">
        <thead className="text-left text-xs text-muted">
          <tr>
            <th className="px-3 py-1 font-medium">Dimension</th>
            <th className="px-3 py-1 font-medium">Score</th>
            <th className="px-3 py-1 font-medium">Needed</th>
            <th className="px-3 py-1 font-medium">Weight</th>
          </tr>
        </thead>
        <tbody>
          {card.dimensions.map(({ name, score, weight, atLeast, passes }) => (
            <tr key={name} className="border-t border-line">
              <td className="px-3 py-1.5">{words(name)}</td>
              <td className="px-3 py-1.5">
                <span className="flex items-center gap-2">
                  <span className={`w-8 text-right tabular-nums ${passes ? "text-good" : "font-semibold text-bad"}`}>
                    {score}
                  </span>
                  <span className="relative h-1.5 w-24 rounded bg-raised">
                    <span
                      className={`absolute inset-y-0 left-0 rounded ${passes ? "bg-good" : "bg-bad"}`}
                      style={{ width: `${Math.max(0, Math.min(100, score))}%` }}
                    />
                    {atLeast === null ? null : (
                      <span className="absolute -inset-y-0.5 w-0.5 bg-ink" style={{ left: `${atLeast}%` }} />
                    )}
                  </span>
                </span>
              </td>
              <td className="px-3 py-1.5 tabular-nums">{atLeast ?? "–"}</td>
              <td className="px-3 py-1.5 tabular-nums">{weight}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
