import { type LineComment, useReviewStore } from "../../../../store/review-store.ts";

const NONE: readonly LineComment[] = [];

/** The comments on the diff of a loop that wait for a word to take them along. */
export function useComments(project: string, loop: string) {
  const name = `${project}/${loop}`;
  const comments = useReviewStore((store) => store.comments[name] ?? NONE);
  const { keep, drop } = useReviewStore.getState();
  return {
    comments,
    keep: (comment: LineComment) => keep(name, comment),
    drop: (gone: readonly LineComment[]) =>
      drop(
        name,
        gone.map(({ id }) => id),
      ),
  };
}
