import type { ApiItem } from "@anneal/types";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { Tabs } from "radix-ui";
import { toast } from "sonner";
import { start } from "../../../api/actions.ts";
import { isBeginning } from "../../../api/items.ts";
import { plansQuery, withPlans } from "../../../api/plans.ts";
import { findingsQuery, itemsQuery, loopQuery, roundsQuery } from "../../../api/queries.ts";
import { troubleId } from "../../../live/notices.ts";
import { useOffer } from "../../../shortcuts/use-offer.ts";
import type { ReviewSearch } from "../../../store/search.ts";
import { Button } from "../../ui/button.tsx";
import { Empty, Failed, Loading } from "../../ui/state.tsx";
import { CodeReviewPanel } from "../board-view/components/code-review-panel.tsx";
import { DiffPane } from "./diff/diff-pane.tsx";
import { useReviewKeys } from "./findings/use-review-keys.ts";
import { PANE_ACTIONS, PANES } from "./panes.ts";
import { PullRequestPane } from "./pull-request/pull-request-pane.tsx";
import { ReviewHeader } from "./review-header.tsx";
import { CertificatePane } from "./rounds/certificate-pane.tsx";
import { HistoryPane } from "./rounds/history-pane.tsx";
import { TranscriptPane } from "./transcript/transcript-pane.tsx";

export { loadDiff } from "./diff/diff-pane.tsx";

/** One card's review: findings and actions on the left, the evidence on the right, the diff first. */
export function ReviewView() {
  const { project, item: id } = useParams({ from: "/p/$project/review/$item" });
  const { data: kept, error: noItems, refetch } = useQuery(itemsQuery(project));
  const { data: plans, error: noPlans, refetch: refetchPlans } = useQuery(plansQuery(project));
  const error = noItems ?? noPlans;
  const items = kept === undefined || plans === undefined ? undefined : withPlans(kept, plans);
  const item = items?.find((one) => one.id === id);
  if (items !== undefined && item !== undefined) return <Review key={id} project={project} item={item} items={items} />;
  return (
    <>
      <h1 className="sr-only">Review</h1>
      {items !== undefined && !isBeginning(kept) ? (
        <Empty title={`${id} is not on the board.`}>It may have been deleted or renamed.</Empty>
      ) : error === null ? (
        <Loading what="the review" />
      ) : (
        <Failed what="the board" error={error} onRetry={() => void Promise.all([refetch(), refetchPlans()])} />
      )}
    </>
  );
}

function Review({ project, item, items }: { project: string; item: ApiItem; items: readonly ApiItem[] }) {
  const search = useSearch({ from: "/p/$project/review/$item" });
  const loopId = search.loop ?? item.loop?.id;
  const beside = items.filter(({ column }) => column === item.column);
  const at = beside.indexOf(item);
  const around = { previous: beside[at - 1], next: beside[at + 1] };
  const { data: loop } = useQuery({ ...loopQuery(project, loopId ?? ""), enabled: loopId !== undefined });
  return (
    <div className="flex h-full flex-col">
      <div className="border-b border-line bg-panel px-3 py-2">
        <ReviewHeader project={project} item={item} loop={loop} {...around} />
      </div>
      {loopId === undefined ? (
        <NotStarted project={project} item={item} around={around} />
      ) : (
        <Panes project={project} item={item} loopId={loopId} search={search} around={around} />
      )}
    </div>
  );
}

interface Around {
  previous: ApiItem | undefined;
  next: ApiItem | undefined;
}

function NotStarted({ project, item, around }: { project: string; item: ApiItem; around: Around }) {
  useReviewKeys({
    project,
    findings: [],
    selected: null,
    onSelect: () => {},
    rounds: 0,
    onEnds: () => {},
    to: "head",
    around,
  });
  const begin = async () => {
    const id = troubleId(project, item.id);
    // Told before it is asked: why it cannot start may be heard before the answer, and takes the place of this.
    toast.info("Starting…", { id, duration: 4_000 });
    const refused = await start(project, item);
    if (refused !== null) toast.error(refused, { id, duration: Number.POSITIVE_INFINITY });
  };
  return (
    <Empty title="No work on this yet.">
      {item.damaged === null ? null : <p className="text-bad">{item.damaged}</p>}
      {item.error === null ? null : (
        <p className="wrap-anywhere text-bad first-letter:uppercase" role="alert">
          {item.error}
        </p>
      )}
      {item.blockedBy.length === 0 ? null : <p>It waits for {item.blockedBy.join(", ")}.</p>}
      <Button acts look="main" className="mt-3" onClick={() => void begin()}>
        Start it
      </Button>
    </Empty>
  );
}

interface PanesProps {
  project: string;
  item: ApiItem;
  loopId: string;
  search: ReviewSearch;
  around: Around;
}

function Panes({ project, item, loopId, search, around }: PanesProps) {
  const navigate = useNavigate();
  const { data: loop } = useQuery(loopQuery(project, loopId));
  const { data: found } = useQuery(findingsQuery(project, loopId));
  const { data: lines } = useQuery(roundsQuery(project, loopId));
  const findings = found?.findings ?? [];
  const rounds = lines?.rounds ?? [];
  const selected = search.finding ?? null;
  const { from = "base", to = "head", tab = "diff" } = search;
  const visit = (next: ReviewSearch) =>
    void navigate({ to: "/p/$project/review/$item", params: { project, item: item.id }, search: next, replace: true });
  const go = (change: ReviewSearch) => visit({ ...search, ...change });
  const select = (fingerprint: string | null) => {
    const { finding: _, file: __, line: ___, ...rest } = search;
    visit(fingerprint === null ? rest : { ...rest, finding: fingerprint, tab: "diff" });
  };
  const showLine = (file: string, line: number | undefined) => {
    const ofLoop = search.loop === undefined ? {} : { loop: search.loop };
    visit({ ...ofLoop, tab: "diff", file, ...(line === undefined ? {} : { line }) });
  };
  useReviewKeys({
    project,
    findings,
    selected,
    onSelect: select,
    rounds: rounds.length,
    to,
    onEnds: (a, b) => go({ from: a, to: b, tab: "diff" }),
    around,
  });
  useOffer(PANE_ACTIONS.map(({ value, ...action }) => ({ ...action, group: "Review", run: () => go({ tab: value }) })));
  const chosen = findings.find(({ fingerprint }) => fingerprint === selected)?.finding;
  const place =
    search.file !== undefined
      ? { file: search.file, line: search.line }
      : chosen?.file === undefined
        ? null
        : { file: chosen.file, line: chosen.line };
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-y-auto split:flex-row split:overflow-visible">
      <aside
        aria-label="Findings and actions"
        className="shrink-0 border-line bg-panel max-split:border-b split:w-[22rem] split:border-r xl:w-[26rem]"
      >
        <CodeReviewPanel project={project} loop={loopId} selected={selected} onSelect={select} />
      </aside>
      <Tabs.Root
        value={tab}
        onValueChange={(next) => go({ tab: next })}
        className="flex min-w-0 flex-1 flex-col max-split:h-[85vh] max-split:flex-none"
      >
        <Tabs.List aria-label="Evidence" className="flex gap-1 overflow-x-auto border-b border-line bg-panel px-2">
          {PANES.map(([value, title]) => (
            <Tabs.Trigger
              key={value}
              value={value}
              className="border-b-2 border-transparent px-3 py-2 text-sm whitespace-nowrap text-muted -outline-offset-2 hover:text-ink data-[state=active]:border-accent data-[state=active]:font-medium data-[state=active]:text-ink"
            >
              {title}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        <Pane value="diff">
          {loop === undefined ? (
            <Loading what="the diff" />
          ) : (
            <DiffPane
              project={project}
              loop={loop}
              rounds={rounds}
              findings={findings}
              chosen={selected}
              from={from}
              to={to}
              place={place}
              onEnds={(a, b) => go({ from: a, to: b })}
              onFinding={select}
              onLine={(file, line) => go({ file, line })}
            />
          )}
        </Pane>
        <Pane value="transcript">
          <TranscriptPane project={project} loop={loopId} />
        </Pane>
        <Pane value="history">
          <HistoryPane project={project} loop={loopId} onDiff={(a, b) => go({ from: a, to: b, tab: "diff" })} />
        </Pane>
        <Pane value="pull-request">
          {loop === undefined ? (
            <Loading what="the pull request" />
          ) : (
            <PullRequestPane project={project} loop={loop} onLine={showLine} />
          )}
        </Pane>
        <Pane value="certificate">
          <CertificatePane project={project} loop={loopId} />
        </Pane>
      </Tabs.Root>
    </div>
  );
}

function Pane({ value, children }: { value: string; children: React.ReactNode }) {
  return (
    <Tabs.Content value={value} className="min-h-0 flex-1">
      {children}
    </Tabs.Content>
  );
}
