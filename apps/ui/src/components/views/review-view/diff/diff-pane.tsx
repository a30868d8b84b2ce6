import type { ApiFinding, ApiLoopState, ApiRoundLine } from "@anneal/types";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { diffFilesQuery, diffQuery, pullRequestQuery } from "../../../../api/queries.ts";
import { useOffer } from "../../../../shortcuts/use-offer.ts";
import { useAppStore } from "../../../../store/app-store.ts";
import type { DiffHandle, DiffLine } from "../../../diff/diff-view.tsx";
import { Button } from "../../../ui/button.tsx";
import { later } from "../../../ui/later.tsx";
import { counted } from "../../../ui/numbers.ts";
import { Empty, Failed, Loading } from "../../../ui/state.tsx";
import { CommentForm } from "../comments/comment-form.tsx";
import { openRequests } from "../findings/nothing-blocks.ts";
import { DiffEnd } from "./diff-ends.tsx";
import { PinnedComment, PinnedFinding, PinnedRequest } from "./diff-pins.tsx";
import { DiffSearch } from "./diff-search.tsx";
import { FileActions } from "./file-actions.tsx";
import { FileMatrix } from "./file-matrix.tsx";
import { firstLineOf } from "./patch-places.ts";
import { type Pinned, pinsOf } from "./pins.ts";
import { useFileKeys } from "./use-file-keys.ts";
import { useLineComment } from "./use-line-comment.ts";
import { useViewed } from "./use-viewed.ts";

const DiffView = later("the diff", async () => {
  const viewer = await import("../../../diff/diff-view.tsx");
  await viewer.loadViewer();
  return viewer.DiffView<Pinned>;
});

export const loadDiff = DiffView.preload;

interface DiffPaneProps {
  project: string;
  loop: ApiLoopState;
  rounds: readonly ApiRoundLine[];
  findings: readonly ApiFinding[];
  /** The finding that is looked at. */
  chosen: string | null;
  from: string;
  to: string;
  /** The place that is looked at. */
  place: { file: string; line: number | undefined } | null;
  onEnds: (from: string, to: string) => void;
  onFinding: (fingerprint: string) => void;
  onLine: (file: string, line: number) => void;
}

export function DiffPane(props: DiffPaneProps) {
  const { project, loop, rounds, findings, chosen, from, to, place, onEnds, onFinding, onLine } = props;
  const committed = loop.head !== null;
  const files = useQuery({ ...diffFilesQuery(project, loop.id, from, to), enabled: committed });
  const patch = useQuery({ ...diffQuery(project, loop.id, from, to), enabled: committed });
  const { data: pr } = useQuery({ ...pullRequestQuery(project, loop.id), enabled: loop.pullRequest !== null });
  const shown = files.data?.files ?? NOTHING;
  const { diffLayout, setDiffLayout } = useAppStore();
  const { viewed, toggle, canMark } = useViewed({ project, loop: loop.id, committed, files: shown });
  const talk = useLineComment({ project, loop, findings, at: to });
  // It comes later than the patch when its code has to be loaded first.
  const [view, setView] = useState<DiffHandle | null>(null);
  const [spot, setSpot] = useState<DiffLine | null>(null);
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const folded = useMemo(() => {
    const made = shown.filter(({ generated }) => generated).map(({ path }) => path);
    return new Set([...made.filter((path) => !opened.has(path)), ...viewed]);
  }, [shown, opened, viewed]);
  const pins = useMemo(() => {
    const requests = openRequests(loop, pr);
    return pinsOf({ findings, requests, chosen, to, comments: talk.comments, writing: talk.writing });
  }, [findings, loop, pr, chosen, to, talk.comments, talk.writing]);
  const look = (path: string, at?: number) => {
    view?.goTo(path, at);
    setSpot({ file: path, line: at ?? firstLineOf(patch.data ?? "", path), side: "new" });
  };
  const { file, line } = place ?? {};
  const text = files.data === undefined ? undefined : patch.data;
  useEffect(() => {
    if (view === null || file === undefined || text === undefined) return;
    setSpot({ file, line: line ?? firstLineOf(text, file), side: "new" });
    // A viewer that has just come measures itself first.
    const frame = requestAnimationFrame(() => view.goTo(file, line));
    return () => cancelAnimationFrame(frame);
  }, [view, file, line, text]);
  // A comment that was begun before the page was loaded anew is shown again.
  const [begun, setBegun] = useState(talk.writing);
  useEffect(() => {
    if (view === null || begun === null || text === undefined) return;
    setBegun(null);
    if (file === undefined) requestAnimationFrame(() => view.goTo(begun.file, begun.line));
  }, [view, begun, file, text]);
  useFileKeys(
    shown.map(({ path }) => path),
    spot?.file,
    look,
  );
  const noLine = spot === null ? "choose a line first: a line number, a finding, or a search result" : undefined;
  const comment = () => spot !== null && talk.begin(spot);
  useOffer([
    {
      id: "line-comment",
      title: "Comment on the line for the fixer",
      group: "Diff",
      key: "w",
      blocked: talk.blocked ?? noLine,
      run: comment,
    },
  ]);

  const ends = ["base", ...rounds.map(({ number }) => String(number)), "head"];
  const error = patch.error ?? files.error;
  return (
    <div className="flex h-full flex-col">
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-3 py-2 text-sm">
        <DiffEnd name="From" value={from} ends={ends} onChange={(next) => onEnds(next, to)} />
        <span aria-hidden="true">→</span>
        <DiffEnd name="To" value={to} ends={ends} onChange={(next) => onEnds(from, next)} />
        {files.data === undefined ? null : (
          <span className="text-xs text-muted">
            {counted(shown.length, "file")} <span className="text-good">+{files.data.added}</span>{" "}
            <span className="text-bad">−{files.data.removed}</span>
          </span>
        )}
        <DiffSearch patch={patch.data ?? ""} onGo={look} />
        <Button
          className="ml-auto"
          disabled={(talk.blocked ?? noLine) !== undefined}
          title={talk.blocked ?? noLine ?? "The fixer reads your comment."}
          onClick={comment}
        >
          {spot === null ? "Comment" : `Comment on line ${spot.line}`}
        </Button>
        <Button onClick={() => setDiffLayout(diffLayout === "unified" ? "split" : "unified")}>
          {diffLayout === "unified" ? "Side by side" : "Unified"}
        </Button>
      </div>
      <FileMatrix
        project={project}
        loop={loop.id}
        viewed={viewed}
        canMark={canMark}
        onViewed={toggle}
        onGo={(path) => look(path)}
      />
      <div className="min-h-0 flex-1">
        {error !== null && patch.data === undefined ? (
          <Failed what="the diff" error={error} onRetry={() => void Promise.all([patch.refetch(), files.refetch()])} />
        ) : !committed ? (
          <Empty title="Nothing is committed yet.">The diff appears after the first commit.</Empty>
        ) : patch.data === undefined ? (
          <Loading what="the diff" />
        ) : patch.data === "" ? (
          <Empty title="The two commits do not differ." />
        ) : (
          <DiffView
            ref={setView}
            patch={patch.data}
            layout={diffLayout}
            pins={pins}
            folded={folded}
            marked={spot}
            renderPin={({ of }) => {
              if (of.kind === "finding") {
                // The viewer keeps a pin as it was when it was put there.
                const { fingerprint } = of.one;
                const one = findings.find((now) => now.fingerprint === fingerprint) ?? of.one;
                return <PinnedFinding one={one} onChoose={() => onFinding(fingerprint)} />;
              }
              if (of.kind === "request") return <PinnedRequest one={of.one} />;
              if (of.kind === "comment")
                return <PinnedComment comment={of.comment} onRemove={() => talk.drop([of.comment])} />;
              return (
                <CommentForm
                  key={of.comment.id}
                  comment={talk.writing ?? of.comment}
                  consequence={talk.consequence}
                  onText={talk.setText}
                  onSay={talk.finish}
                  onClose={talk.cancel}
                />
              );
            }}
            renderFileActions={(path) => (
              <FileActions
                folded={folded.has(path)}
                viewed={viewed.has(path)}
                onOpen={() => setOpened((before) => new Set([...before, path]))}
                onViewed={() => toggle(path)}
              />
            )}
            onLine={(at) => {
              setSpot(at);
              if (at.side === "new") onLine(at.file, at.line);
            }}
          />
        )}
      </div>
    </div>
  );
}

const NOTHING: readonly never[] = [];
