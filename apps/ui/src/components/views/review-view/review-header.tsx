import type { ApiItem, ApiLoopState } from "@anneal/types";
import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useOffer } from "../../../shortcuts/use-offer.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { clock, money } from "../../ui/numbers.ts";
import { words } from "../../ui/words.ts";
import { toneOf } from "../board-view/constants.ts";
import { EditDialog } from "../board-view/edit-dialog.tsx";

interface HeaderProps {
  project: string;
  item: ApiItem;
  loop: ApiLoopState | undefined;
  previous: ApiItem | undefined;
  next: ApiItem | undefined;
}

export function ReviewHeader({ project, item, loop, previous, next }: HeaderProps) {
  const [editing, setEditing] = useState(false);
  const isFeature = item.kind === "feature" && item.damaged === null;
  const blocked = isFeature
    ? undefined
    : "only features can be edited here: edit the file of this item in the repository";
  useOffer([
    { id: "item-edit", title: "Edit the card", group: "Review", key: "e", blocked, run: () => setEditing(true) },
  ]);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <div className="flex max-w-full min-w-0 items-center gap-3">
        <Neighbour project={project} item={previous} sign="‹" name="Previous card" />
        <Neighbour project={project} item={next} sign="›" name="Next card" />
        <div className="min-w-0">
          <h1 dir="auto" className="truncate text-base font-semibold">
            {item.title}
          </h1>
          <p className="truncate font-mono text-xs text-muted" title={loop?.workspace ?? undefined}>
            {item.id}
            {loop?.branch == null ? "" : ` · ${loop.branch}`}
            {loop?.workspace == null ? "" : ` · ${loop.workspace}`}
          </p>
        </div>
      </div>
      {isFeature ? <Button onClick={() => setEditing(true)}>Edit</Button> : null}
      {editing ? <EditDialog project={project} id={item.id} onClose={() => setEditing(false)} /> : null}
      {loop === undefined ? null : <Meters loop={loop} />}
    </div>
  );
}

function Meters({ loop }: { loop: ApiLoopState }) {
  const { costUsd, tokens } = loop.caps;
  const near = [costUsd, tokens].some(({ used, limit }) => limit !== null && used >= 0.8 * limit);
  return (
    <p className="ml-auto flex flex-wrap items-center gap-2 text-sm">
      <Badge tone={loop.stage === "waiting-for-human" ? "accent" : toneOf(loop.state)}>{words(loop.state)}</Badge>
      <span>
        Round {loop.round}/{loop.maxRounds}
      </span>
      <Elapsed loop={loop} />
      <span className={near ? "font-medium text-warn" : ""} title={near ? "Close to its budget" : "Cost so far"}>
        {money(loop.spent.costUsd)}
        {costUsd.limit === null ? "" : ` of ${money(costUsd.limit)}`}
      </span>
    </p>
  );
}

/** Runs on between events, as the loop does. */
function Elapsed({ loop }: { loop: ApiLoopState }) {
  const [now, setNow] = useState(Date.now);
  const running = loop.stage !== "ended";
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [running]);
  const ms = running ? Math.max(loop.elapsedMs, now - loop.startedAt) : loop.elapsedMs;
  return <span title="Since its start">{clock(ms)}</span>;
}

function Neighbour({
  project,
  item,
  sign,
  name,
}: {
  project: string;
  item: ApiItem | undefined;
  sign: string;
  name: string;
}) {
  const look = "rounded-md border border-line px-2 py-1 text-sm";
  if (item === undefined)
    return (
      <span className={`${look} text-muted opacity-50`} aria-hidden="true">
        {sign}
      </span>
    );
  return (
    <Link
      to="/p/$project/review/$item"
      params={{ project, item: item.id }}
      className={`${look} hover:bg-raised`}
      title={`${name}: ${item.title}`}
      aria-label={`${name}: ${item.title}`}
    >
      {sign}
    </Link>
  );
}
