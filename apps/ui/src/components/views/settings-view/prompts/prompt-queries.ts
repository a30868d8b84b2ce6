import type { ApiPromptKey, ApiPromptPreview } from "@anneal/types";
import { queryOptions } from "@tanstack/react-query";
import { api } from "../../../../api/api.ts";
import { at } from "../../../../api/queries.ts";

/** A text as a reviewer would read it, and what should be corrected in it. */
export const promptPreviewQuery = (project: string, key: ApiPromptKey, text: string, itemId?: string) =>
  queryOptions({
    queryKey: ["prompts", project, "preview", key, itemId ?? null, text],
    queryFn: ({ signal }) =>
      api.send<ApiPromptPreview>(
        "POST",
        at(project, `prompts/${key}/preview`),
        { text, ...(itemId === undefined ? {} : { itemId }) },
        { signal },
      ),
    retry: false,
    gcTime: 60_000,
  });
