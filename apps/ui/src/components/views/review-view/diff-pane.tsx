import type { ApiFinding, ApiRoundLine } from "@anneal/types";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from "react";
import { diffFilesQuery, diffQuery } from "../../../api/queries.ts";
import { useOffer } from "../../../shortcuts/use-offer.ts";
import { useAppStore } from "../../../store/app-store.ts";
import type { DiffHandle } from "../../diff/diff-view.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { INPUT } from "../../ui/field.tsx";
import { Empty, Failed, Loading } from "../../ui/state.tsx";
import { DiffSearch } from "./diff-search.tsx";
import { FileMatrix } from "./file-matrix.tsx";
import { SEVERITY_TONES } from "./severity.ts";

const DiffView = lazy(async () => ({ default: (await import("../../diff/diff-view.tsx")).DiffView }));

interface DiffPaneProps {
  project: string;
  loop: string;
  /** Whether there is a commit to look at. */
  committed: boolean;
  rounds: readonly ApiRoundLine[];
  findings: readonly ApiFinding[];
  from: string;
  to: string;
  /** The finding or the place that is looked at. */
  place: { file: string; line: number | undefined } | null;
  onEnds: (from: string, to: string) => void;
  onFinding: (fingerprint: string) => void;
  onLine: (file: string, line: number) => void;
}

export function DiffPane(props: DiffPaneProps) {
  const { project, loop, committed, rounds, findings, from, to, place, onEnds, onFinding, onLine } = props;
  const files = useQuery({ ...diffFilesQuery(project, loop, from, to), enabled: committed });
  const patch = useQuery({ ...diffQuery(project, loop, from, to), enabled: committed });
  const { diffLayout, setDiffLayout } = useAppStore();
  // It comes later than the patch when its code has to be loaded first.
  const [view, setView] = useState<DiffHandle | null>(null);
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const [viewed, setViewed] = useState<ReadonlySet<string>>(new Set());
  const folded = useMemo(() => {
    const made = (files.data?.files ?? []).filter(({ generated }) => generated).map(({ path }) => path);
    return new Set([...made.filter((path) => !opened.has(path)), ...viewed]);
  }, [files.data, opened, viewed]);
  const pins = useMemo(
    () =>
      findings.flatMap(({ fingerprint, finding, disposition }) =>
        finding.file === undefined || finding.line === undefined || disposition.kind !== "open"
          ? []
          : [{ key: fingerprint, file: finding.file, line: finding.line }],
      ),
    [findings],
  );
  const { file, line } = place ?? {};
  const isThere = patch.data !== undefined && files.data !== undefined;
  useEffect(() => {
    if (view === null || file === undefined || !isThere) return;
    // A viewer that has just come measures itself first.
    const frame = requestAnimationFrame(() => view.goTo(file, line));
    return () => cancelAnimationFrame(frame);
  }, [view, file, line, isThere]);
  useFileKeys(files.data?.files.map(({ path }) => path) ?? [], file, (next) => view?.goTo(next));

  const ends = ["base", ...rounds.map(({ number }) => String(number)), "head"];
  const toggle = (path: string) =>
    setViewed((before) =>
      before.has(path) ? new Set([...before].filter((one) => one !== path)) : new Set([...before, path]),
    );
  const error = patch.error ?? files.error;
  return (
    <div className="flex h-full flex-col">
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-3 py-2 text-sm">
        <Ends name="From" value={from} ends={ends} onChange={(next) => onEnds(next, to)} />
        <span aria-hidden="true">→</span>
        <Ends name="To" value={to} ends={ends} onChange={(next) => onEnds(from, next)} />
        {files.data === undefined ? null : (
          <span className="text-xs text-muted">
            {files.data.files.length === 1 ? "1 file" : `${files.data.files.length} files`}{" "}
            <span className="text-good">+{files.data.added}</span>{" "}
            <span className="text-bad">−{files.data.removed}</span>
          </span>
        )}
        <DiffSearch patch={patch.data ?? ""} onGo={(path, at) => view?.goTo(path, at)} />
        <Button className="ml-auto" onClick={() => setDiffLayout(diffLayout === "unified" ? "split" : "unified")}>
          {diffLayout === "unified" ? "Side by side" : "Unified"}
        </Button>
      </div>
      <FileMatrix project={project} loop={loop} viewed={viewed} onViewed={toggle} onGo={(path) => view?.goTo(path)} />
      <div className="min-h-0 flex-1">
        {error !== null && patch.data === undefined ? (
          <Failed what="the diff" error={error} onRetry={() => void Promise.all([patch.refetch(), files.refetch()])} />
        ) : !committed ? (
          <Empty title="Nothing is committed yet.">The diff shows here as soon as the first commit is made.</Empty>
        ) : patch.data === undefined ? (
          <Loading what="the diff" />
        ) : patch.data === "" ? (
          <Empty title="Nothing differs between these two." />
        ) : (
          <Suspense fallback={<Loading what="the diff" />}>
            <DiffView
              ref={setView}
              patch={patch.data}
              layout={diffLayout}
              pins={pins}
              folded={folded}
              renderPin={({ key }) => (
                <PinnedFinding
                  one={findings.find(({ fingerprint }) => fingerprint === key)}
                  onChoose={() => onFinding(key)}
                />
              )}
              renderFileActions={(path) => (
                <FileActions
                  folded={folded.has(path)}
                  viewed={viewed.has(path)}
                  onOpen={() => setOpened((before) => new Set([...before, path]))}
                  onViewed={() => toggle(path)}
                />
              )}
              onLine={onLine}
            />
          </Suspense>
        )}
      </div>
    </div>
  );
}

function useFileKeys(files: readonly string[], now: string | undefined, go: (file: string) => void): void {
  const at = useRef(0);
  const step = (by: number) => () => {
    const from = now === undefined ? at.current : Math.max(files.indexOf(now), 0);
    at.current = Math.min(Math.max(from + by, 0), files.length - 1);
    const file = files[at.current];
    if (file !== undefined) go(file);
  };
  useOffer([
    { id: "file-next", title: "Next file", group: "Diff", key: "n", run: step(1) },
    { id: "file-previous", title: "Previous file", group: "Diff", key: "p", run: step(-1) },
  ]);
}

function Ends({
  name,
  value,
  ends,
  onChange,
}: {
  name: string;
  value: string;
  ends: readonly string[];
  onChange: (end: string) => void;
}) {
  return (
    <select aria-label={name} className={INPUT} value={value} onChange={({ target }) => onChange(target.value)}>
      {ends.map((end) => (
        <option key={end} value={end}>
          {end === "base" ? "base" : end === "head" ? "head" : `round ${end}`}
        </option>
      ))}
    </select>
  );
}

function PinnedFinding({ one, onChoose }: { one: ApiFinding | undefined; onChoose: () => void }) {
  if (one === undefined) return null;
  const { finding, lifecycle, firstRound } = one;
  return (
    <button
      type="button"
      onClick={onChoose}
      className="my-1 flex w-full flex-wrap items-center gap-2 border-l-4 border-bad bg-panel px-3 py-1.5 text-left font-sans text-sm text-ink"
    >
      <Badge tone={SEVERITY_TONES[finding.severity]}>{finding.severity}</Badge>
      <span className="font-medium">{finding.title}</span>
      <span className="text-xs text-muted">
        {lifecycle}, since round {firstRound}
      </span>
    </button>
  );
}

function FileActions({
  folded,
  viewed,
  onOpen,
  onViewed,
}: {
  folded: boolean;
  viewed: boolean;
  onOpen: () => void;
  onViewed: () => void;
}) {
  return (
    <span className="flex items-center gap-2 font-sans text-xs">
      {folded && !viewed ? (
        <button type="button" className="text-accent underline" onClick={onOpen}>
          Made by a tool: show it
        </button>
      ) : null}
      <label className="flex items-center gap-1">
        <input type="checkbox" className="size-3.5 accent-accent" checked={viewed} onChange={onViewed} />
        viewed
      </label>
    </span>
  );
}
