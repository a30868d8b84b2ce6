import type { ApiDraftedReply } from "@anneal/types";
import { errorMessage } from "@anneal/types/unknown";
import { create } from "zustand";
import { api } from "../../../../api/api.ts";
import { loopAt } from "../../../../api/queries.ts";
import { useReviewStore } from "../../../../store/review-store.ts";

type Asked = { stop: () => void } | { problem: string };

/** Drafts that were asked for and are not there, by question. They go on while another pane is looked at. */
const useAsked = create<{ asked: Readonly<Record<string, Asked>> }>()(() => ({ asked: {} }));

function setAsked(question: string, asked: Asked | null): void {
  useAsked.setState(({ asked: { [question]: _, ...others } }) => ({
    asked: asked === null ? others : { ...others, [question]: asked },
  }));
}

/** The draft of a reply to a question: what is written so far, whether it is being drafted, and why that failed. */
export function useDraft(project: string, loop: string, sourceId: number) {
  const question = `${project}/${loop}#${sourceId}`;
  const text = useReviewStore((store) => store.drafts[question] ?? null);
  const asked = useAsked((store) => store.asked[question] ?? null);
  const write = (draft: string | null) => useReviewStore.getState().draft(question, draft);
  const stop = asked !== null && "stop" in asked ? asked.stop : null;
  const ask = async () => {
    if (stop !== null) return;
    const away = new AbortController();
    setAsked(question, { stop: () => away.abort() });
    try {
      const path = loopAt(project, loop, `/questions/${sourceId}/draft`);
      const { draft } = await api.send<ApiDraftedReply>("POST", path, undefined, { signal: away.signal });
      write(draft);
      setAsked(question, null);
    } catch (error) {
      const problem = errorMessage(error);
      setAsked(question, away.signal.aborted ? null : { problem });
    }
  };
  return { text, write, ask, stop, problem: asked !== null && "problem" in asked ? asked.problem : null };
}
