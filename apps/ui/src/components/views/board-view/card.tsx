import { REQUIREMENTS_NOT_JUDGED } from "@anneal/core";
import type { ApiItem } from "@anneal/types";
import { draggable } from "@atlaskit/pragmatic-drag-and-drop/element/adapter";
import { Link } from "@tanstack/react-router";
import { memo, useEffect, useRef } from "react";
import { Badge } from "../../ui/badge.tsx";
import { money } from "../../ui/numbers.ts";
import { words } from "../../ui/words.ts";
import { toneOf } from "./constants.ts";

interface CardProps {
  project: string;
  item: ApiItem;
  focused: boolean;
  onFocus: (id: string) => void;
}

export const Card = memo(function Card({ project, item, focused, onFocus }: CardProps) {
  const element = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (element.current === null) return;
    return draggable({ element: element.current, getInitialData: () => ({ item: item.id }) });
  }, [item.id]);
  useEffect(() => {
    if (focused && document.activeElement !== element.current) element.current?.focus({ preventScroll: true });
  }, [focused]);
  return (
    <Link
      ref={element}
      to="/p/$project/review/$item"
      params={{ project, item: item.id }}
      onFocus={() => onFocus(item.id)}
      data-item={item.id}
      className={`flex h-full flex-col gap-1 overflow-hidden rounded-md border bg-panel p-2.5 text-left hover:border-accent focus-visible:outline-2 ${item.needsYou ? "border-accent" : "border-line"}`}
    >
      <span dir="auto" className="line-clamp-2 shrink-0 text-sm leading-snug font-medium wrap-anywhere">
        {item.title}
      </span>
      <span className="shrink-0 truncate font-mono text-[11px] text-muted">{item.id}</span>
      <span className="mt-auto flex flex-wrap items-center gap-1">
        <CardBadges item={item} />
      </span>
    </Link>
  );
});

function CardBadges({ item: { badge, needsYou, damaged, error, blockedBy, loop, byHand } }: { item: ApiItem }) {
  if (damaged !== null)
    return (
      <Badge tone="bad" title={damaged}>
        damaged file
      </Badge>
    );
  return (
    <>
      {error === null ? null : (
        <Badge tone="bad" title={error}>
          <span className="line-clamp-1 break-all whitespace-normal">{error}</span>
        </Badge>
      )}
      {needsYou ? <Badge tone="accent">needs you</Badge> : null}
      {badge === null ? null : <Badge tone={toneOf(badge)}>{words(badge)}</Badge>}
      {loop === null || loop.round === 0 ? null : (
        <Badge title="Review rounds">
          {loop.round}/{loop.maxRounds}
        </Badge>
      )}
      {loop === null || loop.blockers === 0 ? null : (
        <Badge tone="bad" title="Blocking findings">
          ● {loop.blockers}
        </Badge>
      )}
      {loop === null || loop.resolved === 0 ? null : (
        <Badge tone="good" title="Resolved findings">
          ✓ {loop.resolved}
        </Badge>
      )}
      {loop?.unjudged === true ? (
        <Badge tone="warn" title="The review passed, but nobody checked whether the change does what was asked">
          {REQUIREMENTS_NOT_JUDGED}
        </Badge>
      ) : null}
      {blockedBy.length === 0 ? null : <Badge title={`Waits for ${blockedBy.join(", ")}`}>waits</Badge>}
      {byHand ? <Badge title="Marked as done by hand, without a review">by hand</Badge> : null}
      {loop === null || loop.costUsd === 0 ? null : <Badge title="Cost so far">{money(loop.costUsd)}</Badge>}
    </>
  );
}
