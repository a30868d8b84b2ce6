import { useEffect, useRef } from "react";
import UPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { useTheme } from "../../../shell/use-theme.ts";
import { type ChartUnit, FORMATS } from "./format.ts";
import { type Bin, msOf, type Series, spanOf, stacked } from "./series.ts";

const HEIGHT = 220;
const FEW = 45;
/** Half a finding is not a thing. */
const WHOLE = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000];

/** No tick is nearer than a day; uPlot takes 30 days for a month and 365 for a year. */
const DAYS = [1, 2, 3, 7, 10, 15, 30, 60, 90, 120, 180, 365, 730].map((days) => days * 86_400);

export interface PlotProps {
  label: string;
  bins: readonly Bin[];
  series: readonly Series[];
  /** Bars on top of each other, or a line each. */
  look: "bars" | "lines";
  unit: ChartUnit;
  /** Which day the pointer is on. */
  onHover: (index: number | null) => void;
  onDay: (index: number) => void;
}

/** Days on a canvas. What it shows is also there as a table. */
export default function Plot({ label, bins, series, look, unit, onHover, onDay }: PlotProps) {
  const place = useRef<HTMLDivElement>(null);
  const theme = useTheme();
  const told = useRef({ onHover, onDay });
  told.current = { onHover, onDay };
  useEffect(() => {
    const at = place.current;
    if (at === null) return;
    const plot = new UPlot(
      {
        ...optionsOf(coloursOf(theme), { bins, series, look, unit }),
        width: at.clientWidth,
        height: HEIGHT,
        hooks: {
          setCursor: [({ cursor: { idx, left = -1 } }) => told.current.onHover(left < 0 ? null : (idx ?? null))],
        },
      },
      [
        bins.map(({ date }) => msOf(date) / 1_000),
        ...(look === "bars" ? stacked(series) : series.map(({ values }) => values)),
      ],
      at,
    );
    plot.over.addEventListener("click", () => {
      if (typeof plot.cursor.idx === "number") told.current.onDay(plot.cursor.idx);
    });
    const watch = new ResizeObserver(() => plot.setSize({ width: at.clientWidth, height: HEIGHT }));
    watch.observe(at);
    return () => {
      watch.disconnect();
      plot.destroy();
    };
  }, [bins, series, look, unit, theme]);
  return <div ref={place} role="img" aria-label={label} className="h-[220px] w-full cursor-pointer overflow-hidden" />;
}

type ColourOf = (name: string) => string;

/** A canvas knows no variables: the colours are read when the theme is on the page. */
function coloursOf(theme: "dark" | "light"): ColourOf {
  document.documentElement.dataset.theme = theme;
  const styles = getComputedStyle(document.documentElement);
  return (name) => styles.getPropertyValue(name).trim();
}

function optionsOf(
  colour: ColourOf,
  { bins, series, look, unit }: Pick<PlotProps, "bins" | "series" | "look" | "unit">,
): Omit<UPlot.Options, "width" | "height"> {
  const axis: UPlot.Axis = {
    stroke: colour("--muted"),
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { stroke: colour("--line"), width: 1 },
    font: "11px ui-sans-serif, system-ui, sans-serif",
  };
  const bars = UPlot.paths.bars?.({ size: [0.7, 28] });
  return {
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
    scales: {
      x: { time: true, range: () => spanOf(bins) },
      y: { range: (_, __, max) => [0, max <= 0 ? 1 : max * 1.05] },
    },
    tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1_000), "Etc/UTC"),
    axes: [
      { ...axis, incrs: DAYS },
      { ...axis, size: 56, values: (_, ticks) => ticks.map(FORMATS[unit]), ...(unit === "count" && { incrs: WHOLE }) },
    ],
    series: [
      {},
      ...series.map(({ name, colour: variable }): UPlot.Series => {
        const stroke = colour(variable);
        return look === "bars"
          ? { label: name, stroke, fill: stroke, width: 0, points: { show: false }, ...(bars && { paths: bars }) }
          : { label: name, stroke, width: 2, points: { show: bins.length <= FEW, size: 5 } };
      }),
    ],
  };
}
