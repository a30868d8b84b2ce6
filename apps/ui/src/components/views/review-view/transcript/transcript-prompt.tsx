import type { ApiTranscript } from "@anneal/types";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { promptQuery } from "../../../../api/queries.ts";
import { useOffer } from "../../../../shortcuts/use-offer.ts";
import { Button } from "../../../ui/button.tsx";
import { bytes } from "../../../ui/numbers.ts";
import { Failed, Loading } from "../../../ui/state.tsx";

/** So much of a prompt is shown at first: some hold a whole diff. */
const FIRST_BYTES = 64 * 1024;
const SCROLLS = { tabIndex: 0 };

interface PromptProps {
  project: string;
  loop: string;
  transcript: ApiTranscript;
  open: boolean;
  onOpen: (open: boolean) => void;
}

/** What the agent of this run was told, word by word. */
export function TranscriptPrompt({ project, loop, transcript, open, onOpen }: PromptProps) {
  const { id, state, promptBytes } = transcript;
  const missing =
    promptBytes !== null && promptBytes > 0
      ? undefined
      : state === "running"
        ? "the prompt is recorded when the run ends"
        : "it is not recorded";
  useOffer([
    {
      id: "transcript-prompt",
      title: "Show the prompt",
      group: "Transcript",
      key: "shift+w",
      blocked: missing,
      run: () => onOpen(!open),
    },
  ]);
  if (missing !== undefined) return <p className="px-3 pt-2 text-xs text-muted">Prompt: {missing}.</p>;
  return (
    <div className="border-b border-line px-3 py-2">
      <Button className="h-7 px-2 text-xs" aria-expanded={open} onClick={() => onOpen(!open)}>
        Prompt, {bytes(promptBytes ?? 0)}
      </Button>
      {open ? <Prompt project={project} loop={loop} id={id} size={promptBytes ?? 0} /> : null}
    </div>
  );
}

function Prompt({ project, loop, id, size }: { project: string; loop: string; id: string; size: number }) {
  const [limit, setLimit] = useState(FIRST_BYTES);
  const { data, error, refetch } = useQuery(promptQuery(project, loop, id, limit));
  if (data === undefined && error !== null)
    return <Failed what="the prompt" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the prompt" />;
  return (
    <>
      <section
        {...SCROLLS}
        aria-label="Prompt"
        className="mt-2 max-h-[40vh] overflow-auto rounded border border-line bg-page p-2"
      >
        <pre className="font-mono text-xs whitespace-pre-wrap">{data}</pre>
      </section>
      {size > limit ? (
        <Button className="mt-2 h-7 px-2 text-xs" onClick={() => setLimit(size)}>
          Show the rest, {bytes(size - limit)}
        </Button>
      ) : null}
    </>
  );
}
