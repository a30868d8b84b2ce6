import type { ApiDiffFile } from "@anneal/types";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { diffFilesQuery } from "../../../../api/queries.ts";
import { useReviewStore } from "../../../../store/review-store.ts";
import { isViewed, type ViewedFile } from "../../../../store/viewed.ts";

interface Source {
  project: string;
  loop: string;
  committed: boolean;
  /** The files that are shown. */
  files: readonly ApiDiffFile[];
}

/** Which files were looked at as they are. Those that the shown diff does not have are judged by what the head holds. */
export function useViewed({ project, loop, committed, files }: Source) {
  const name = `${project}/${loop}`;
  const marks = useReviewStore((store) => store.viewed);
  const whole = useQuery({ ...diffFilesQuery(project, loop, "base", "head"), enabled: committed });
  const known = useMemo(
    () => new Map<string, ViewedFile>([...(whole.data?.files ?? []), ...files].map((file) => [file.path, file])),
    [whole.data, files],
  );
  const viewed = useMemo(
    () => new Set([...known.values()].filter((file) => isViewed(marks, name, file)).map(({ path }) => path)),
    [known, marks, name],
  );
  const toggle = (path: string) => {
    const file = known.get(path);
    if (file !== undefined) useReviewStore.getState().mark(name, file, !viewed.has(path));
  };
  return { viewed, toggle, canMark: (path: string) => known.has(path) };
}
