import type { ApiFinding } from "@anneal/types";
import type { LineComment } from "../../../../store/review-store.ts";

type Spot = Pick<LineComment, "file" | "line" | "side" | "at">;

/** A line as the fixer is told of it. */
export function whereOf({ file, line, side, at }: Spot): string {
  const when = side === "old" ? " before the change" : at === "head" ? "" : ` in round ${at}`;
  return `${file}, line ${line}${when}`;
}

/** One comment as the fixer reads it. */
export function asNote(comment: Omit<LineComment, "id">): string {
  return `${whereOf(comment)}: ${comment.text}`;
}

/** What a person writes for a loop, and the comments that go along with it. */
export function noteWith(note: string, comments: readonly LineComment[]): string {
  return [note, ...comments.map(asNote)].filter((text) => text !== "").join("\n\n");
}

/** The open finding of the same file that a comment can go with at once, the nearest one; null where there is none. */
export function tellable(findings: readonly ApiFinding[], { file, line }: Pick<Spot, "file" | "line">) {
  const near = ({ finding }: ApiFinding) => Math.abs((finding.line ?? 0) - line);
  const there = findings.filter(({ finding, actions }) => finding.file === file && actions.includes("tell"));
  return there.toSorted((a, b) => near(a) - near(b))[0] ?? null;
}
