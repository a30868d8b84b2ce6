import type { ApiAnalytics, Category } from "@anneal/types";
import { errorMessage } from "@anneal/types/unknown";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { toast } from "sonner";
import { api } from "../../../api/api.ts";
import { analyticsQuery, at } from "../../../api/queries.ts";
import { queries } from "../../../api/query-client.ts";
import { useOffer } from "../../../shortcuts/use-offer.ts";
import { Button } from "../../ui/button.tsx";
import { Empty, Failed, Loading } from "../../ui/state.tsx";
import { CategoryFindings } from "./category-findings.tsx";
import { CategoryBars } from "./charts/category-bars.tsx";
import { ChartCard } from "./charts/chart-card.tsx";
import { dayOf, isBackwards, type Range, type RangeSearch, rangeOf } from "./charts/range.ts";
import { binRange, bins, byCategory, byCost, byRound } from "./charts/series.ts";
import { RangePicker } from "./range-picker.tsx";
import { Tiles } from "./tiles.tsx";

/** How the loops of a project do. */
export function AnalyticsView() {
  const { project } = useParams({ from: "/p/$project/analytics" });
  const search = useSearch({ from: "/p/$project/analytics" });
  const navigate = useNavigate();
  const [now] = useState(Date.now);
  const range = rangeOf(search, now);
  const backwards = isBackwards(range);
  const analytics = useQuery({ ...analyticsQuery(project, range.from, range.to), enabled: !backwards });
  const [asTables, setTables] = useState(false);
  const look = (next: RangeSearch) =>
    void navigate({ to: "/p/$project/analytics", params: { project }, search: next, replace: true });
  useOffer([
    { id: "analytics-7d", title: "Last 7 days", group: "Analytics", key: "1", run: () => look({ from: "7d" }) },
    { id: "analytics-30d", title: "Last 30 days", group: "Analytics", key: "2", run: () => look({ from: "30d" }) },
    { id: "analytics-90d", title: "Last 90 days", group: "Analytics", key: "3", run: () => look({ from: "90d" }) },
    { id: "analytics-all", title: "All time", group: "Analytics", key: "4", run: () => look({ from: "all" }) },
    {
      id: "analytics-tables",
      title: asTables ? "Show all charts as charts" : "Show all charts as tables",
      group: "Analytics",
      key: "t",
      run: () => setTables(!asTables),
    },
  ]);
  return (
    <div className="relative h-full overflow-auto">
      <div className="mx-auto flex min-h-full max-w-7xl flex-col gap-4 p-6">
        <div className="flex flex-wrap items-center gap-4">
          <h1 className="text-base font-semibold">Analytics</h1>
          <RangePicker range={range} today={dayOf(now)} onChange={look} />
          <Rebuild project={project} />
        </div>
        {backwards ? (
          <Empty title="The day “to” is before the day “from”.">
            <Button
              onClick={() => look({ from: range.to ?? "all", ...(range.from === null ? {} : { to: range.from }) })}
            >
              Show {range.to} to {range.from}
            </Button>
          </Empty>
        ) : analytics.error !== null ? (
          <Failed what="the analytics" error={analytics.error} onRetry={() => void analytics.refetch()} />
        ) : analytics.data === undefined ? (
          <Loading what="the analytics" />
        ) : analytics.data.days.length === 0 ? (
          <Empty title={range.choice === "all" ? "No loop has run yet." : "Nothing happened on these days."}>
            {range.choice === "all" ? (
              <p>Start a feature on the board. Its rounds, findings and cost are shown here.</p>
            ) : (
              <Button onClick={() => look({ from: "all" })}>Show all days</Button>
            )}
          </Empty>
        ) : (
          <Shown
            project={project}
            analytics={analytics.data}
            range={range}
            today={dayOf(now)}
            asTables={asTables}
            onRange={look}
          />
        )}
      </div>
    </div>
  );
}

function Shown({
  project,
  analytics,
  range,
  today,
  asTables,
  onRange,
}: {
  project: string;
  analytics: ApiAnalytics;
  range: Range;
  today: string;
  asTables: boolean;
  onRange: (search: RangeSearch) => void;
}) {
  const [category, setCategory] = useState<Category | null>(null);
  const { days, summary } = analytics;
  const { from, to } = range;
  const drawn = useMemo(() => {
    const all = bins(days, { from, to }, today);
    return { all, categories: byCategory(all, summary.commonCategories), rounds: byRound(all), cost: byCost(all) };
  }, [days, summary, from, to, today]);
  const onDay = (index: number) => {
    const picked = binRange(drawn.all, index);
    if (picked !== null) onRange(picked);
  };
  const chart = { bins: drawn.all, asTables, onDay };
  return (
    <>
      <Tiles project={project} summary={summary} />
      <ChartCard
        {...chart}
        title="Findings over time"
        about="New findings by category. Click a name for its findings, or a day to show only that day."
        series={drawn.categories}
        look="bars"
        unit="count"
        onCategory={setCategory}
      />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <CategoryBars common={summary.commonCategories} asTables={asTables} onCategory={setCategory} />
        <ChartCard
          {...chart}
          title="Rounds"
          about="Reviews with a verdict, reviews that could not finish, and fixes."
          series={drawn.rounds}
          look="lines"
          unit="count"
        />
        <ChartCard
          {...chart}
          title="Cost"
          about="Reported by agents, or estimated."
          series={drawn.cost}
          look="bars"
          unit="money"
        />
      </div>
      {category === null ? null : (
        <CategoryFindings project={project} category={category} range={range} onClose={() => setCategory(null)} />
      )}
    </>
  );
}

function Rebuild({ project }: { project: string }) {
  const [isRunning, setRunning] = useState(false);
  const rebuild = async () => {
    setRunning(true);
    try {
      await api.send("POST", at(project, "analytics/rebuild"));
      await queries.invalidateQueries({ queryKey: ["analytics", project] });
      toast.success("Recounted from the log.");
    } catch (error) {
      toast.error(errorMessage(error));
    } finally {
      setRunning(false);
    }
  };
  return (
    <Button
      acts
      className="ml-auto"
      disabled={isRunning}
      onClick={() => void rebuild()}
      title="Count the whole log again; nothing else changes"
    >
      {isRunning ? "Counting…" : "Rebuild"}
    </Button>
  );
}
