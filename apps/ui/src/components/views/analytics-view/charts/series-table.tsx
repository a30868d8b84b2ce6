import { useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { type Bin, binName, type Series } from "./series.ts";

const MOST_ROWS = 14;

/** Days and their numbers, newest first; days without anything are left out. */
export function SeriesTable({
  caption,
  bins,
  series,
  format,
  onDay,
}: {
  caption: string;
  bins: readonly Bin[];
  series: readonly Series[];
  format: (value: number) => string;
  onDay: (index: number) => void;
}) {
  const [isAll, setAll] = useState(false);
  const rows = bins
    .map((bin, index) => ({ date: bin.date, index }))
    .filter(({ index }) => series.some(({ values }) => (values[index] ?? 0) > 0))
    .reverse();
  return (
    <>
      <table className="w-full text-right text-sm tabular-nums">
        <caption className="sr-only">{caption}</caption>
        <thead className="text-xs text-muted">
          <tr>
            <th scope="col" className="py-1 text-left font-medium">
              When
            </th>
            {series.map(({ name }) => (
              <th key={name} scope="col" className="py-1 pl-2 font-medium">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {(isAll ? rows : rows.slice(0, MOST_ROWS)).map(({ date, index }) => (
            <tr key={date} className="border-t border-line">
              <th scope="row" className="py-1 text-left font-normal">
                <button
                  type="button"
                  className="hover:underline"
                  title="Show only these days"
                  onClick={() => onDay(index)}
                >
                  {binName(bins, index)}
                </button>
              </th>
              {series.map(({ name, values }) => (
                <td key={name} className="py-1 pl-2">
                  {format(values[index] ?? 0)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length === 0 ? <p className="py-2 text-sm text-muted">Nothing on these days.</p> : null}
      {isAll || rows.length <= MOST_ROWS ? null : (
        <Button look="quiet" className="self-start" onClick={() => setAll(true)}>
          Show all {rows.length} rows
        </Button>
      )}
    </>
  );
}
