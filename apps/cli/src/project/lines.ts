import { isAtRest, isUnreviewed, REQUIREMENTS_NOT_JUDGED } from "@anneal/core";
import type { LoopStatus, StatusLine } from "@anneal/engine/project";
import { folded, harmlessLine, type Paint } from "../style.ts";
import { duration, fitted, money, narrowed, shortId } from "./output.ts";
import { because, doing, waysOut } from "./words.ts";

export interface ListScreen {
  paint: Paint;
  columns: number;
  now: number;
  /** Whether a process runs the project's loops. */
  running: boolean;
  /** Whole ids for programs, their telling part for people. */
  ids: "whole" | "short";
}

const HEAD = ["id", "title", "column", "stage", "round", "open", "fixed", "time", "cost"];
const ALWAYS = 3;
const GAP = 2;
const NUMERIC = new Set(["round", "open", "fixed", "time", "cost"]);

/** One line per item, and below it what it waits for. */
export function statusText(lines: readonly StatusLine[], screen: ListScreen): string {
  const rows = lines.map((line) => cells(line, screen));
  const widths = HEAD.map((name, at) => {
    const widest = Math.max(...rows.map((row) => row[at]?.length ?? 0));
    return at >= ALWAYS && widest === 0 ? 0 : Math.max(name.length, widest);
  });
  shrink(widths, screen);
  const { paint } = screen;
  const head = paint("dim", laid(HEAD, widths));
  const body = lines.flatMap((line, at) => {
    const row = laid(rows[at] ?? [], widths);
    return [painted(line, row, screen), ...notes(line, screen), ...gaps(line, screen)];
  });
  return `${[head, ...body].join("\n")}\n`;
}

function cells(
  { id, kind, title, status, damaged, byHand, coming, loop }: StatusLine,
  { now, ids, running }: ListScreen,
): string[] {
  const name = ids === "short" ? shortId(id) : id;
  const column = byHand === true ? `${status} (by hand)` : (status ?? (damaged === null ? "" : "damaged"));
  const isComing = coming === true && running;
  if (loop === null || isComing)
    return [name, harmlessLine(title), column, isComing ? "preparing workspace" : "", "", "", "", "", ""];
  const stands = isAtRest(loop.stage);
  const elapsed = (stands || !running ? loop.lastAt : now) - loop.startedAt;
  return [
    name,
    harmlessLine(title),
    column,
    doing({ ...loop, kind }),
    `${loop.round}/${loop.maxRounds}`,
    loop.blockers === 0 ? "" : `${loop.blockers}`,
    loop.resolved === 0 ? "" : `${loop.resolved}`,
    duration(elapsed),
    money(loop.costUsd),
  ];
}

/** The title gives way first, as it can be read elsewhere; on a narrow screen whole columns do, and then the id where nobody copies it. */
function shrink(widths: number[], { columns, ids }: ListScreen): void {
  const total = () => widths.reduce((sum, width) => sum + (width === 0 ? 0 : width + GAP), -GAP);
  const title = widths[1] ?? 0;
  widths[1] = Math.max(Math.min(title, 12), title - Math.max(0, total() - columns));
  for (const name of ["fixed", "cost", "time", "open"]) if (total() > columns) widths[HEAD.indexOf(name)] = 0;
  const id = widths[0] ?? 0;
  if (ids === "short") widths[0] = Math.max(Math.min(id, 12), id - Math.max(0, total() - columns));
}

function laid(row: readonly string[], widths: readonly number[]): string {
  const shown = row.flatMap((cell, at) => {
    const width = widths[at] ?? 0;
    if (width === 0) return [];
    const text = at === 0 ? narrowed(cell, width) : fitted(cell, width);
    return [NUMERIC.has(HEAD[at] ?? "") ? text.padStart(width) : text.padEnd(width)];
  });
  return shown.join(" ".repeat(GAP)).trimEnd();
}

function painted({ damaged, loop }: StatusLine, text: string, { paint }: ListScreen): string {
  if (damaged !== null) return paint("red", text);
  if (loop === null) return text;
  if (loop.stage === "waiting-for-human") return paint("yellow", text);
  if (loop.stage !== "ended") return paint("cyan", text);
  return ["passed", "merged", "accepted"].includes(loop.outcome ?? "") ? paint("green", text) : paint("red", text);
}

function notes(line: StatusLine, screen: ListScreen): string[] {
  const { id, damaged, loop, status, dependsOn, unreviewed = [], mergedUnreviewed = [] } = line;
  const { ids, running } = screen;
  const name = ids === "short" ? shortId(id) : id;
  if (damaged !== null) return note(damaged, screen);
  if (loop === null) {
    if (status === "in_progress") return note(`no loop is open; start one with anneal run ${name}`, screen);
    const trust = (one: string) => {
      if (mergedUnreviewed.includes(one)) return " (merged NOT REVIEWED)";
      return unreviewed.includes(one) ? " (marked by hand, not reviewed)" : "";
    };
    const before = (one: string) => `${short(ids)(one)}${trust(one)}`;
    return dependsOn.length === 0 ? [] : note(`after ${dependsOn.map(before).join(", ")}`, screen);
  }
  if (loop.stage === "waiting-for-human") return note(waitNote(loop, name), screen);
  if (loop.stage === "awaiting-feedback")
    return note(`pull request ${loop.pr?.number} awaits feedback → anneal pr watch ${name}`, screen);
  if (loop.stage === "ended" && loop.outcome === "merged" && isUnreviewed(loop))
    return note(loop.pr?.mergedHead === undefined ? "merged NOT REVIEWED, as a person decided" : loop.detail, screen);
  if (loop.stage === "ended" && loop.outcome === "accepted") return note(loop.detail, screen);
  if (loop.stage === "ended" || running) return [];
  return note(`interrupted; continue with anneal run`, screen);
}

/** What a verdict does not cover. */
function gaps({ id, loop, moved = "" }: StatusLine, screen: ListScreen): string[] {
  const unseen = loop === null ? "" : unseenNote(loop, screen.ids === "short" ? shortId(id) : id);
  const unjudged = loop?.unjudged === true && loop.reason !== "requirements-not-judged" ? REQUIREMENTS_NOT_JUDGED : "";
  return [unjudged, unseen, moved].flatMap((text) => (text === "" ? [] : note(text, screen)));
}

function waitNote(loop: LoopStatus, name: string): string {
  return `${because(loop.reason ?? "", loop.detail)} → ${waysOut(loop, name)}`;
}

/** What a verdict does not cover is told wherever the verdict is. */
function unseenNote({ unseen }: LoopStatus, name: string): string {
  if (unseen === null) return "";
  const more = unseen.files - unseen.first.length;
  const rest = more === 0 ? "" : ` and ${more} more; see anneal show ${name}`;
  return `not seen by the reviewer: ${unseen.first.join(", ")}${rest}`;
}

function note(text: string, { paint, columns }: ListScreen): string[] {
  const lines = folded(harmlessLine(text), Math.max(30, Math.min(columns, 120) - 6));
  return lines.map((line, at) => paint("dim", `${at === 0 ? "  ↳ " : "    "}${line}`));
}

function short(ids: ListScreen["ids"]): (id: string) => string {
  return ids === "short" ? shortId : (id) => id;
}
