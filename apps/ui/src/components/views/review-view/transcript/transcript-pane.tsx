import type { ApiTranscript } from "@anneal/types";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { transcriptsQuery } from "../../../../api/queries.ts";
import { INPUT } from "../../../ui/field.tsx";
import { bytes } from "../../../ui/numbers.ts";
import { Empty, Failed, Loading } from "../../../ui/state.tsx";
import { TranscriptPrompt } from "./transcript-prompt.tsx";
import { TranscriptText } from "./transcript-text.tsx";

/** What the agents said and did, word by word; one that is at work is followed. */
export function TranscriptPane({ project, loop }: { project: string; loop: string }) {
  const { data, error, refetch } = useQuery(transcriptsQuery(project, loop));
  const [chosen, setChosen] = useState<string | null>(null);
  const [prompted, setPrompted] = useState(false);
  if (data === undefined && error !== null)
    return <Failed what="the transcripts" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the transcripts" />;
  const newest = data.transcripts.at(-1);
  const shown = data.transcripts.find(({ id }) => id === chosen) ?? newest;
  if (shown === undefined) return <Empty title="No transcript yet.">No work on this yet.</Empty>;
  return (
    <div className="flex h-full flex-col">
      <div className="flex items-center gap-2 border-b border-line px-3 py-2">
        <select
          aria-label="Transcript"
          className={INPUT}
          value={shown.id}
          onChange={({ target }) => setChosen(target.value)}
        >
          {data.transcripts.toReversed().map((one) => (
            <option key={one.id} value={one.id}>
              {nameOf(one)}
            </option>
          ))}
        </select>
      </div>
      <TranscriptPrompt
        key={`${shown.id} prompt`}
        project={project}
        loop={loop}
        transcript={shown}
        open={prompted}
        onOpen={setPrompted}
      />
      <TranscriptText key={shown.id} project={project} loop={loop} transcript={shown} />
    </div>
  );
}

function nameOf({ round, role, agent, bytes: size, state, failed }: ApiTranscript): string {
  const who = `${role}${agent === null ? "" : ` (${agent})`}`;
  return `Round ${round}, ${who}, ${state === "running" ? "running" : bytes(size)}${failed === null ? "" : ", failed"}`;
}
