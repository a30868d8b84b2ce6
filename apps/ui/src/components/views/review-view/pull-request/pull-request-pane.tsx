import type { ApiLoopState, ApiPullRequest } from "@anneal/types";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { pullRequestQuery } from "../../../../api/queries.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Empty, Failed, Loading } from "../../../ui/state.tsx";
import { CreatePullRequest } from "./create-pull-request-button.tsx";
import { QuestionDraft } from "./question-draft.tsx";

const CHECKS = { pending: "calm", passing: "good", failing: "bad", none: "neutral" } as const;

interface PaneProps {
  project: string;
  loop: ApiLoopState;
  /** Shows a line of the change. */
  onLine: (file: string, line: number | undefined) => void;
}

/** The pull request as it was heard of last. */
export function PullRequestPane({ project, loop, onLine }: PaneProps) {
  const opened = loop.pullRequest !== null;
  const { data: pr, error, refetch } = useQuery({ ...pullRequestQuery(project, loop.id), enabled: opened });
  if (!opened)
    return (
      <Empty title="No pull request yet.">
        <CreatePullRequest project={project} loop={loop} />
      </Empty>
    );
  if (pr === undefined && error !== null)
    return <Failed what="the pull request" error={error} onRetry={() => void refetch()} />;
  if (pr === undefined) return <Loading what="the pull request" />;
  return (
    <div className="flex h-full flex-col gap-4 overflow-y-auto p-4 text-sm">
      <p className="flex flex-wrap items-center gap-2">
        <a href={pr.url} target="_blank" rel="noreferrer" className="font-semibold text-accent underline">
          Pull request #{pr.number}
        </a>
        {pr.state === null ? null : <Badge tone={isGood(pr) ? "good" : "neutral"}>{pr.state}</Badge>}
        {pr.draft ? <Badge tone="warn">draft, not reviewed</Badge> : null}
        {pr.mergedHead === null ? null : (
          <Badge tone="warn">merged at {pr.mergedHead.slice(0, 12)}, not reviewed</Badge>
        )}
        {pr.checks === null ? null : (
          <Badge tone={CHECKS[pr.checks.state]}>
            {pr.checks.state === "none" ? "no checks" : `checks ${pr.checks.state}`}
          </Badge>
        )}
        <Badge tone={pr.reviews === "approved" ? "good" : pr.reviews === "changes-requested" ? "bad" : "neutral"}>
          {pr.reviews === "none" ? "no review yet" : pr.reviews}
        </Badge>
        {pr.current || pr.head === null || pr.mergedHead !== null ? null : (
          <Badge tone="warn">for an earlier head</Badge>
        )}
      </p>
      <p>{pr.summary}</p>
      <Group title="Needs a person" lines={pr.needsPerson.map((text) => ({ key: text, text }))} />
      <Group title="Failing checks" lines={(pr.checks?.failing ?? []).map((text) => ({ key: text, text }))} />
      <Group title="Asked for" lines={pr.requests.map((one) => requestLine(one, onLine))} />
      <Group title="Questions for you" lines={pr.questions.map((one) => questionLine(project, loop.id, one))} />
    </div>
  );
}

function isGood({ state, mergedHead }: ApiPullRequest): boolean {
  return state === "approved" || (state === "merged" && mergedHead === null);
}

interface Line {
  key: string;
  text: string;
  /** Where in the change it is about. */
  place?: { name: string; onGo: () => void } | null;
  suggestion?: string | null;
  /** What stands or will be given as the answer. */
  reply?: string | null;
  /** Where a person is at work on one. */
  draft?: ReactNode;
}

function requestLine(one: ApiPullRequest["requests"][number], onLine: PaneProps["onLine"]): Line {
  const { source, sourceId, author, text, file, line, suggestion, reply } = one;
  const place =
    file === null
      ? null
      : { name: line === null ? file : `${file}:${line}`, onGo: () => onLine(file, line ?? undefined) };
  return { key: `${source}-${sourceId}`, text: `${author}: ${text}`, place, suggestion, reply };
}

function questionLine(project: string, loop: string, one: ApiPullRequest["questions"][number]): Line {
  const { sourceId, author, question, reply } = one;
  const draft = <QuestionDraft project={project} loop={loop} question={one} />;
  return { key: String(sourceId), text: `${author}: ${question}`, reply, draft };
}

function Group({ title, lines }: { title: string; lines: readonly Line[] }) {
  if (lines.length === 0) return null;
  return (
    <section aria-label={title}>
      <h2 className="mb-1 text-xs font-semibold text-muted">{title}</h2>
      <ul className="flex flex-col gap-2">
        {lines.map(({ key, text, place, suggestion, reply, draft }) => (
          <li key={key} className="rounded-md border border-line bg-panel p-2">
            <p className="break-words whitespace-pre-wrap">{text}</p>
            {place == null ? null : (
              <button type="button" className="font-mono text-xs break-all text-accent underline" onClick={place.onGo}>
                {place.name}
              </button>
            )}
            {suggestion == null ? null : (
              <p className="mt-1 text-xs">
                <span className="text-muted">Suggested: </span>
                {suggestion}
              </p>
            )}
            {reply == null ? null : (
              <p className="mt-1 border-l-2 border-accent pl-2 text-muted">
                <span className="sr-only">The answer: </span>
                {reply}
              </p>
            )}
            {draft}
          </li>
        ))}
      </ul>
    </section>
  );
}
