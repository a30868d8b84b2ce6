import type { ApiTranscript } from "@anneal/types";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { transcriptsQuery } from "../../../api/queries.ts";
import { linesOf, type TranscriptLine } from "../../../live/transcript-lines.ts";
import { useTranscript } from "../../../live/use-transcript.ts";
import { INPUT } from "../../ui/field.tsx";
import { bytes } from "../../ui/numbers.ts";
import { Empty, Failed, Loading } from "../../ui/state.tsx";

/** What scrolls has to be reachable by the keyboard. */
const SCROLLS = { tabIndex: 0 };

/** What the agents said and did, word by word; one that is at work is followed. */
export function TranscriptPane({ project, loop }: { project: string; loop: string }) {
  const { data, error, refetch } = useQuery(transcriptsQuery(project, loop));
  const [chosen, setChosen] = useState<string | null>(null);
  if (data === undefined && error !== null)
    return <Failed what="the transcripts" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the transcripts" />;
  const newest = data.transcripts.at(-1);
  const shown = data.transcripts.find(({ id }) => id === chosen) ?? newest;
  if (shown === undefined) return <Empty title="No transcript yet.">Nobody has worked on this yet.</Empty>;
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
      <Text key={shown.id} project={project} loop={loop} transcript={shown} />
    </div>
  );
}

function nameOf({ round, role, agent, bytes: size, state }: ApiTranscript): string {
  return `Round ${round}, ${role}${agent === null ? "" : ` (${agent})`}, ${state === "running" ? "running" : bytes(size)}`;
}

function Text({ project, loop, transcript }: { project: string; loop: string; transcript: ApiTranscript }) {
  const { text, error } = useTranscript(project, loop, transcript);
  const lines = useMemo(() => linesOf(text), [text]);
  const [follow, setFollow] = useState(transcript.state === "running");
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    if (follow && lines.length > 0) box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [follow, lines]);
  if (error !== null) return <Failed what="the transcript" error={error} />;
  return (
    <>
      <label className="flex items-center gap-2 px-3 py-1 text-xs text-muted">
        <input
          type="checkbox"
          className="size-3.5 accent-accent"
          checked={follow}
          onChange={({ target }) => setFollow(target.checked)}
        />
        Follow the end
      </label>
      <section
        ref={box}
        {...SCROLLS}
        aria-label="Transcript text"
        className="flex min-h-0 flex-1 flex-col gap-2 overflow-auto bg-page p-3 text-sm"
      >
        {lines.length === 0 ? <p className="text-muted">Nothing was said yet.</p> : null}
        {lines.map((line) => (
          <Line key={line.number} line={line} />
        ))}
      </section>
    </>
  );
}

/** What an agent says is read; what it does is one line that opens. */
function Line({ line: { kind, name, text } }: { line: TranscriptLine }) {
  if (kind === "text") return <p className="[content-visibility:auto] whitespace-pre-wrap">{text}</p>;
  if (kind === "note") return <p className="text-xs whitespace-pre-wrap text-muted">{text}</p>;
  const first = text.split("\n", 1)[0] ?? "";
  return (
    <details className="rounded border border-line bg-panel [content-visibility:auto]">
      <summary className="cursor-pointer truncate px-2 py-1 font-mono text-xs">
        <span className={kind === "tool" ? "text-calm" : "text-muted"}>
          {kind === "tool" ? name : `${name} answered`}
        </span>{" "}
        {first.slice(0, 160)}
      </summary>
      <pre className="overflow-x-auto px-2 pb-2 font-mono text-xs whitespace-pre-wrap">{text}</pre>
    </details>
  );
}
