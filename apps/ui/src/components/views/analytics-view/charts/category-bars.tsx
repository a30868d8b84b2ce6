import type { AnalyticsSummary, Category } from "@anneal/types";
import { useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { count, percent } from "./format.ts";
import { colourOf } from "./series.ts";
import "./chart-colours.css";

interface CategoryBarsProps {
  common: AnalyticsSummary["commonCategories"];
  asTables: boolean;
  onCategory: (category: Category) => void;
}

/** What was caught, by what it is about: a bar for what was found, its full part for what was fixed by itself. */
export function CategoryBars({ common, asTables, onCategory }: CategoryBarsProps) {
  const [isTable, setTable] = useState(false);
  const shownAsTable = asTables !== isTable;
  return (
    <section aria-label="Findings by category" className="flex flex-col rounded-md border border-line bg-panel p-4">
      <div className="mb-3 flex items-start justify-between gap-3">
        <div>
          <h2 className="font-semibold">Findings by category</h2>
          <p className="text-xs text-muted">Found, and how many a fix resolved. Click a category for its findings.</p>
        </div>
        <Button onClick={() => setTable(!isTable)}>
          {shownAsTable ? "As chart" : "As table"}
          <span className="sr-only">: findings by category</span>
        </Button>
      </div>
      {common.length === 0 ? <p className="text-sm text-muted">No findings on these days.</p> : null}
      {shownAsTable ? (
        <CategoryTable common={common} onCategory={onCategory} />
      ) : (
        <Bars common={common} onCategory={onCategory} />
      )}
    </section>
  );
}

function Bars({ common, onCategory }: Omit<CategoryBarsProps, "asTables">) {
  const most = Math.max(1, ...common.map(({ found }) => found));
  return (
    <ul className="flex flex-col gap-1.5">
      {common.map(({ category, found, fixed }) => (
        <li key={category}>
          <button
            type="button"
            onClick={() => onCategory(category)}
            title={`Shows the findings about ${category}`}
            className="grid w-full grid-cols-[7rem_1fr_9.5rem] items-center gap-3 rounded py-0.5 text-left text-sm hover:bg-raised"
          >
            <span>{category}</span>
            <span aria-hidden className="h-4 rounded-sm bg-raised">
              <span
                className="block h-4 overflow-hidden rounded-sm border"
                style={{ width: `${(found / most) * 100}%`, borderColor: `var(${colourOf(category)})` }}
              >
                <span
                  className="block h-full"
                  style={{
                    width: `${(Math.min(fixed, found) / Math.max(1, found)) * 100}%`,
                    background: `var(${colourOf(category)})`,
                  }}
                />
              </span>
            </span>
            <span className="text-right text-xs text-muted tabular-nums">
              {count(found)} found, {count(fixed)} fixed
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function CategoryTable({ common, onCategory }: Omit<CategoryBarsProps, "asTables">) {
  if (common.length === 0) return null;
  return (
    <table className="w-full text-right text-sm tabular-nums">
      <caption className="sr-only">Findings by category</caption>
      <thead className="text-xs text-muted">
        <tr>
          <th scope="col" className="py-1 text-left font-medium">
            Category
          </th>
          <th scope="col" className="font-medium">
            Found
          </th>
          <th scope="col" className="font-medium">
            Fixed
          </th>
          <th scope="col" className="font-medium">
            Share
          </th>
        </tr>
      </thead>
      <tbody>
        {common.map(({ category, found, fixed, share }) => (
          <tr key={category} className="border-t border-line">
            <th scope="row" className="py-1 text-left font-normal">
              <button type="button" className="hover:underline" onClick={() => onCategory(category)}>
                {category}
              </button>
            </th>
            <td>{count(found)}</td>
            <td>{count(fixed)}</td>
            <td>{percent(share)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
