import type { ApiTranscript } from "@anneal/types";
import { useEffect, useMemo, useRef, useState } from "react";
import { isError } from "../../../../live/transcript-errors.ts";
import { linesOf, type TranscriptLine } from "../../../../live/transcript-lines.ts";
import { useTranscript } from "../../../../live/use-transcript.ts";
import { useOffer } from "../../../../shortcuts/use-offer.ts";
import { Button } from "../../../ui/button.tsx";
import { counted } from "../../../ui/numbers.ts";
import { Failed, Loading } from "../../../ui/state.tsx";

/** What scrolls has to be reachable by the keyboard. */
const SCROLLS = { tabIndex: 0 };
/** What is jumped to takes the focus, and no place in the order of the keys. */
const JUMPED_TO = { tabIndex: -1 };
/** The place of the word that says why the run came to nothing. */
const END = 0;

/** What was said and done in one run, with a way from error to error. */
export function TranscriptText({
  project,
  loop,
  transcript,
}: {
  project: string;
  loop: string;
  transcript: ApiTranscript;
}) {
  const { text, error, isLoaded } = useTranscript(project, loop, transcript);
  const lines = useMemo(() => linesOf(text), [text]);
  const errors = useMemo(() => {
    const wrong = lines.filter(isError).map(({ number }) => number);
    return transcript.failed === null ? wrong : [...wrong, END];
  }, [lines, transcript.failed]);
  const [follow, setFollow] = useState(transcript.state === "running");
  // Before the first.
  const [index, setIndex] = useState(-1);
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    if (follow && lines.length > 0) box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [follow, lines]);
  const jump = (to: number) => {
    const next = errors.length === 0 ? -1 : to % errors.length;
    const place = box.current?.querySelector<HTMLElement>(`[data-line="${errors[next]}"]`);
    if (place === null || place === undefined) return;
    setFollow(false);
    setIndex(next);
    if (place instanceof HTMLDetailsElement) place.open = true;
    place.scrollIntoView({ block: "center" });
    (place.querySelector<HTMLElement>("summary") ?? place).focus({ preventScroll: true });
  };
  const blocked = errors.length === 0 ? "there is no error in this transcript" : undefined;
  useOffer([
    {
      id: "transcript-error",
      title: "Next error",
      group: "Transcript",
      key: "shift+e",
      blocked,
      run: () => jump(index + 1),
    },
  ]);
  if (!isLoaded)
    return error === null ? <Loading what="the transcript" /> : <Failed what="the transcript" error={error} />;
  return (
    <>
      <div className="flex flex-wrap items-center gap-3 px-3 py-1 text-xs text-muted">
        <label className="flex items-center gap-2">
          <input
            type="checkbox"
            className="size-3.5 accent-accent"
            checked={follow}
            onChange={({ target }) => setFollow(target.checked)}
          />
          Follow the end
        </label>
        <span role="status" className="ml-auto">
          {errors.length === 0
            ? "no errors"
            : index < 0
              ? counted(errors.length, "error")
              : `error ${index + 1} of ${errors.length}`}
        </span>
        <Button className="h-7 px-2 text-xs" disabled={errors.length === 0} onClick={() => jump(0)}>
          First error
        </Button>
        <Button className="h-7 px-2 text-xs" disabled={errors.length === 0} onClick={() => jump(index + 1)}>
          Next error
        </Button>
      </div>
      <section
        ref={box}
        {...SCROLLS}
        aria-label="Transcript text"
        className="flex min-h-0 flex-1 flex-col gap-2 overflow-auto bg-page p-3 text-sm"
      >
        {lines.length === 0 ? <p className="text-muted">No output yet.</p> : null}
        {lines.map((line) => (
          <Line key={line.number} line={line} />
        ))}
        {transcript.failed === null ? null : (
          <p
            data-line={END}
            {...JUMPED_TO}
            className="rounded border border-bad bg-bad-soft px-2 py-1 whitespace-pre-wrap text-bad"
          >
            It failed: {transcript.failed}
          </p>
        )}
      </section>
    </>
  );
}

/** What an agent says is read; what it does is one line that opens. */
function Line({ line }: { line: TranscriptLine }) {
  const { number, kind, name, text } = line;
  const wrong = isError(line);
  if (kind === "text") return <p className="[content-visibility:auto] whitespace-pre-wrap">{text}</p>;
  if (kind === "note")
    return (
      <p
        data-line={number}
        {...JUMPED_TO}
        className={`text-xs whitespace-pre-wrap ${wrong ? "text-bad" : "text-muted"}`}
      >
        {text}
      </p>
    );
  const first = text.split("\n", 1)[0] ?? "";
  return (
    <details
      data-line={number}
      className={`rounded border bg-panel [content-visibility:auto] ${wrong ? "border-bad" : "border-line"}`}
    >
      <summary className="cursor-pointer truncate px-2 py-1 font-mono text-xs">
        <span className={wrong ? "text-bad" : kind === "tool" ? "text-calm" : "text-muted"}>
          {kind === "tool" ? name : `${name} answered`}
        </span>{" "}
        {first.slice(0, 160)}
      </summary>
      <pre className="overflow-x-auto px-2 pb-2 font-mono text-xs whitespace-pre-wrap">{text}</pre>
    </details>
  );
}
