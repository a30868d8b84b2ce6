import type { Finding } from "@anneal/types";
import { type AnswerReading, unreadable } from "../answer/answer.ts";
import { readLocation } from "./code-location.ts";

/** What a priority means on the seed's own scale. */
const WORDS: Record<string, "error" | "warning" | "suggestion"> = {
  P0: "error",
  P1: "error",
  P2: "warning",
  P3: "suggestion",
};

export interface PriorityLine extends Pick<Finding, "file" | "line" | "endLine"> {
  priority: string;
  word: "error" | "warning" | "suggestion";
  title: string;
}

/** An issue as Codex lists it: `[P1] title — path:42-45`; without a location it is an issue all the same. */
export function readPriorityLine(shown: string, reading: AnswerReading): PriorityLine | undefined {
  const [, digits = "", rest = ""] = /^\[P(\d+)\]\s*(.*)$/i.exec(shown) ?? [];
  if (digits === "") return undefined;
  const priority = `P${digits}`;
  const word = WORDS[priority] ?? unreadable(`The priority "${priority}" of "${rest.slice(0, 60)}" is unknown.`);
  const placed = /^(.*\S)\s+[-–—]+\s+(\S+:\d+(?:[-–]\d+)?)$/.exec(rest);
  const title = (placed?.[1] ?? rest).trim();
  if (title === "") unreadable(`"${shown.slice(0, 60)}" has no message.`);
  return { priority, word, title, ...(placed === null ? {} : readLocation(placed[2] ?? "", reading)) };
}
