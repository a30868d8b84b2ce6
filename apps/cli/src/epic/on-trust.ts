import { dirname } from "node:path";
import type { EpicPlan } from "@anneal/engine/epics";
import { harmlessLine } from "../style.ts";

/** Tickets that count as completed though nobody reviewed them here. */
export function onTrust({ file, tickets }: EpicPlan): string {
  const place = `${dirname(file)}/artifacts/epic-state.json`;
  return tickets
    .filter(({ unreviewed }) => unreviewed)
    .map(({ id }) => `! ${harmlessLine(id)} is NOT REVIEWED: only ${harmlessLine(place)} marks it completed\n`)
    .join("");
}
