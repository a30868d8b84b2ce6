import type { ApiFinding, ApiItem, Category } from "@anneal/types";
import { useQueries, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { findingsQuery, itemsQuery } from "../../../api/queries.ts";
import { Badge } from "../../ui/badge.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { inRange, type Range } from "./charts/range.ts";
import { msOf } from "./charts/series.ts";

/** Findings are kept by loop: so many of the latest are asked. */
const MOST_LOOPS = 30;

/** What was found about one thing, each with the way to its place in the code. */
export function CategoryFindings({
  project,
  category,
  range,
  onClose,
}: {
  project: string;
  category: Category;
  range: Range;
  onClose: () => void;
}) {
  const { data: items = [], isPending: itemsAwaited } = useQuery(itemsQuery(project));
  const reviewed = items
    .flatMap((item) => (item.loop === null || item.loop.round === 0 ? [] : [{ item, loop: item.loop }]))
    .filter(({ loop }) => range.from === null || loop.lastAt >= msOf(range.from))
    .sort((a, b) => b.loop.lastAt - a.loop.lastAt);
  const asked = reviewed.slice(0, MOST_LOOPS);
  const answers = useQueries({ queries: asked.map(({ loop }) => findingsQuery(project, loop.id)) });
  const all = asked.flatMap(({ item }, index) =>
    (answers[index]?.data?.findings ?? [])
      .filter(({ finding }) => finding.category === category)
      .map((one) => ({ item, one })),
  );
  const found = all.filter(({ one: { foundAt } }) => foundAt !== null && inRange(range, foundAt));
  const isLoading = itemsAwaited || answers.some(({ isPending }) => isPending);
  return (
    <Dialog
      title={`Findings about ${category}`}
      description={[
        reviewed.length > MOST_LOOPS
          ? `From the ${MOST_LOOPS} most recent of ${reviewed.length} loops.`
          : "From the last loop of each item.",
        ...(all.length > found.length ? [`${all.length - found.length} more on other days.`] : []),
      ].join(" ")}
      open
      onClose={onClose}
      wide
    >
      {found.length === 0 ? (
        <p role="status" className="py-4 text-sm text-muted">
          {isLoading
            ? "Loading the findings…"
            : "No findings on these days in these loops. Older loops are not searched."}
        </p>
      ) : null}
      <ul className="flex flex-col">
        {found.map(({ item, one }) => (
          <li key={`${item.id} ${one.fingerprint}`} className="border-t border-line first:border-0">
            <FoundLine project={project} item={item} one={one} />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

const TONES = { critical: "bad", high: "bad", medium: "warn", low: "neutral", info: "neutral" } as const;

function FoundLine({
  project,
  item,
  one: { finding, fingerprint, disposition, lifecycle },
}: {
  project: string;
  item: ApiItem;
  one: ApiFinding;
}) {
  return (
    <Link
      to="/p/$project/review/$item"
      params={{ project, item: item.id }}
      search={{ finding: fingerprint }}
      className="flex flex-wrap items-center gap-2 rounded px-1 py-2 text-sm hover:bg-raised"
    >
      <Badge tone={TONES[finding.severity]}>{finding.severity}</Badge>
      <span className="font-medium">{finding.title}</span>
      <Badge tone={lifecycle === "resolved" ? "good" : "neutral"}>
        {disposition.kind === "open" ? lifecycle : disposition.kind}
      </Badge>
      <span className="w-full text-xs text-muted">
        {item.title}
        {finding.file === undefined ? "" : ` · ${finding.file}${finding.line === undefined ? "" : `:${finding.line}`}`}
      </span>
    </Link>
  );
}
