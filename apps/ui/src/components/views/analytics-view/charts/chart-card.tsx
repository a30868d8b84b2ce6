import type { Category } from "@anneal/types";
import { useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { later } from "../../../ui/later.tsx";
import { type ChartUnit, FORMATS } from "./format.ts";
import { type Bin, binName, type Series } from "./series.ts";
import { SeriesTable } from "./series-table.tsx";
import "./chart-colours.css";

const Plot = later("the chart", async () => (await import("./plot.tsx")).default);

export interface ChartCardProps {
  title: string;
  about: string;
  bins: readonly Bin[];
  series: readonly Series[];
  look: "bars" | "lines";
  unit: ChartUnit;
  /** All charts as tables at once. */
  asTables: boolean;
  onDay: (index: number) => void;
  onCategory?: (category: Category) => void;
}

/** A chart over days with its legend, and the same as a table. */
export function ChartCard({ title, about, bins, series, look, unit, asTables, onDay, onCategory }: ChartCardProps) {
  const [isTable, setTable] = useState(false);
  const [hovered, setHovered] = useState<number | null>(null);
  const shownAsTable = asTables !== isTable;
  return (
    <section aria-label={title} className="flex min-w-0 flex-col rounded-md border border-line bg-panel p-4">
      <div className="mb-2 flex items-start justify-between gap-3">
        <div>
          <h2 className="font-semibold">{title}</h2>
          <p className="text-xs text-muted">{about}</p>
        </div>
        <Button onClick={() => setTable(!isTable)}>
          {shownAsTable ? "As chart" : "As table"}
          <span className="sr-only">: {title}</span>
        </Button>
      </div>
      {shownAsTable ? (
        <SeriesTable caption={title} bins={bins} series={series} format={FORMATS[unit]} onDay={onDay} />
      ) : (
        <>
          <Legend series={series} hovered={hovered} format={FORMATS[unit]} {...(onCategory && { onCategory })} />
          <p className="h-5 text-xs text-muted" aria-hidden>
            {hovered === null ? "" : binName(bins, hovered)}
          </p>
          <div className="min-h-[220px]">
            <Plot
              label={`${title}, as a chart; also available as a table`}
              bins={bins}
              series={series}
              look={look}
              unit={unit}
              onHover={setHovered}
              onDay={onDay}
            />
          </div>
        </>
      )}
    </section>
  );
}

function Legend({
  series,
  hovered,
  format,
  onCategory,
}: {
  series: readonly Series[];
  hovered: number | null;
  format: (value: number) => string;
  onCategory?: (category: Category) => void;
}) {
  return (
    <ul className="flex flex-wrap gap-x-3 gap-y-1 text-xs">
      {series.map(({ name, colour, category, values }) => {
        const value = hovered === null ? values.reduce((sum, one) => sum + one, 0) : (values[hovered] ?? 0);
        const content = (
          <>
            <span aria-hidden className="size-2.5 rounded-sm" style={{ background: `var(${colour})` }} />
            {name} <span className="text-muted tabular-nums">{format(value)}</span>
          </>
        );
        return (
          <li key={name}>
            {category === undefined || onCategory === undefined ? (
              <span className="flex items-center gap-1.5">{content}</span>
            ) : (
              <button
                type="button"
                className="flex items-center gap-1.5 rounded hover:underline"
                title={`Shows the findings about ${name}`}
                onClick={() => onCategory(category)}
              >
                {content}
              </button>
            )}
          </li>
        );
      })}
    </ul>
  );
}
