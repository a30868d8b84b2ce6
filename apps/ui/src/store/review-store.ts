import { create } from "zustand";
import { persist } from "zustand/middleware";
import { type Viewed, type ViewedFile, withMark } from "./viewed.ts";

/** A word about a line of a diff, for the fixer. */
export interface LineComment {
  id: string;
  file: string;
  line: number;
  /** The text after the change, or the one before. */
  side: "new" | "old";
  /** The end of the diff that it was written on: `head`, or the number of a round. */
  at: string;
  text: string;
}

interface ReviewStore {
  viewed: Viewed;
  /** What waits, by loop, until a word takes it along. */
  comments: Readonly<Record<string, readonly LineComment[]>>;
  /** What is being written, by loop: a page that goes away does not take it along. */
  writing: Readonly<Record<string, LineComment>>;
  /** Replies to questions of pull requests, as far as they are written, by `project/loop#source`. */
  drafts: Readonly<Record<string, string>>;
  mark(loop: string, file: ViewedFile, isSet: boolean): void;
  write(loop: string, comment: LineComment | null): void;
  keep(loop: string, comment: LineComment): void;
  drop(loop: string, ids: readonly string[]): void;
  draft(question: string, text: string | null): void;
}

/** What this browser remembers of reviews under way. Loops are named `project/loop`. */
export const useReviewStore = create<ReviewStore>()(
  persist(
    (set) => ({
      viewed: {},
      comments: {},
      writing: {},
      drafts: {},
      mark: (loop, file, isSet) => set(({ viewed }) => ({ viewed: withMark(viewed, loop, file, isSet) })),
      write: (loop, comment) =>
        set(({ writing: { [loop]: _, ...others } }) => ({
          writing: comment === null ? others : { ...others, [loop]: comment },
        })),
      keep: (loop, comment) =>
        set(({ comments }) => ({ comments: { ...comments, [loop]: [...(comments[loop] ?? []), comment] } })),
      drop: (loop, ids) =>
        set(({ comments: { [loop]: kept = [], ...others } }) => {
          const rest = kept.filter(({ id }) => !ids.includes(id));
          return { comments: rest.length === 0 ? others : { ...others, [loop]: rest } };
        }),
      draft: (question, text) =>
        set(({ drafts: { [question]: _, ...others } }) => ({
          drafts: text === null ? others : { ...others, [question]: text },
        })),
    }),
    { name: "anneal-reviews" },
  ),
);
