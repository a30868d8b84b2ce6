import type { ApiTranscript } from "@anneal/types";
import { useEffect, useState } from "react";
import { api } from "../api/api.ts";
import { useConnection } from "../api/connection.ts";
import { loopAt } from "../api/queries.ts";

const LOOK_MS = 1_000;

/** The text of a transcript; of one that grows, only what is new is fetched. */
export function useTranscript(
  project: string,
  loop: string,
  { id, state }: Pick<ApiTranscript, "id" | "state">,
): { text: string; error: unknown; isLoaded: boolean } {
  const [text, setText] = useState("");
  const [isLoaded, setLoaded] = useState(false);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    const leaving = new AbortController();
    const path = loopAt(project, loop, `/transcripts/${id}`);
    let offset = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let stopWaiting = () => {};
    const look = async () => {
      try {
        const { bytes, more } = await api.getFrom(path, offset, leaving.signal);
        offset += bytes.length;
        setError(null);
        setLoaded(true);
        if (more !== "") setText((before) => before + more);
        if (state === "running") timer = setTimeout(() => void look(), LOOK_MS);
      } catch (problem) {
        if (leaving.signal.aborted) return;
        setError(problem);
        // It goes on where it stopped once anything is heard of the server again.
        stopWaiting = useConnection.subscribe(({ state: now }) => {
          if (now !== "live") return;
          stopWaiting();
          void look();
        });
      }
    };
    setText("");
    void look();
    return () => {
      leaving.abort();
      clearTimeout(timer);
      stopWaiting();
    };
  }, [project, loop, id, state]);
  return { text, error, isLoaded };
}
