import type { ApiFinding, ApiItem } from "@anneal/types";
import { useNavigate } from "@tanstack/react-router";
import { useOffer } from "../../../../shortcuts/use-offer.ts";
import { sorted } from "./severity.ts";

interface Keys {
  project: string;
  findings: readonly ApiFinding[];
  selected: string | null;
  onSelect: (fingerprint: string | null) => void;
  rounds: number;
  to: string;
  onEnds: (from: string, to: string) => void;
  around: { previous: ApiItem | undefined; next: ApiItem | undefined };
}

/** Keys of the review: along the findings, the rounds and the cards. */
export function useReviewKeys({ project, findings, selected, onSelect, rounds, to, onEnds, around }: Keys): void {
  const navigate = useNavigate();
  const { blocking, below, settled } = sorted(findings);
  const order = [...blocking, ...below, ...settled].map(({ fingerprint }) => fingerprint);
  const at = selected === null ? -1 : order.indexOf(selected);
  const step = (by: number) => () => {
    const next = order[Math.min(Math.max(at + by, 0), order.length - 1)];
    if (next !== undefined) onSelect(next);
  };
  const round = to === "head" ? rounds + 1 : Number(to);
  const show = (number: number) => () => {
    const shown = Math.min(Math.max(number, 1), rounds);
    if (rounds > 0) onEnds(shown === 1 ? "base" : String(shown - 1), String(shown));
  };
  const card = (item: ApiItem | undefined) => () => {
    if (item !== undefined) void navigate({ to: "/p/$project/review/$item", params: { project, item: item.id } });
  };
  const group = "Review";
  const noRounds = rounds === 0 ? "no round yet" : undefined;
  useOffer([
    { id: "finding-next", title: "Next finding", group, key: "j", run: step(1) },
    { id: "finding-previous", title: "Previous finding", group, key: "k", run: step(-1) },
    { id: "finding-close", title: "Close the finding", group, key: "escape", run: () => onSelect(null) },
    { id: "round-next", title: "Next round’s change", group, key: "]", blocked: noRounds, run: show(round + 1) },
    {
      id: "round-previous",
      title: "Previous round’s change",
      group,
      key: "[",
      blocked: noRounds,
      run: show(round - 1),
    },
    { id: "whole-change", title: "The whole change", group, key: "0", run: () => onEnds("base", "head") },
    {
      id: "item-next",
      title: "Next card",
      group,
      key: "shift+j",
      blocked: around.next === undefined ? "this is the last one" : undefined,
      run: card(around.next),
    },
    {
      id: "item-previous",
      title: "Previous card",
      group,
      key: "shift+k",
      blocked: around.previous === undefined ? "this is the first one" : undefined,
      run: card(around.previous),
    },
    {
      id: "back",
      title: "Back to the board",
      group,
      key: "u",
      run: () => void navigate({ to: "/p/$project", params: { project } }),
    },
  ]);
}
