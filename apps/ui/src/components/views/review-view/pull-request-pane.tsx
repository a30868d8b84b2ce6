import { useQuery } from "@tanstack/react-query";
import { pullRequestQuery } from "../../../api/queries.ts";
import { Badge } from "../../ui/badge.tsx";
import { Empty, Failed, Loading } from "../../ui/state.tsx";

const CHECKS = { pending: "calm", passing: "good", failing: "bad" } as const;

/** The pull request as it was heard of last. */
export function PullRequestPane({ project, loop, opened }: { project: string; loop: string; opened: boolean }) {
  const { data: pr, error, refetch } = useQuery({ ...pullRequestQuery(project, loop), enabled: opened });
  if (!opened)
    return (
      <Empty title="No pull request yet.">
        It opens by itself when the review has passed, or when its rounds have run out.
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
        {pr.state === null ? null : (
          <Badge tone={pr.state === "merged" || pr.state === "approved" ? "good" : "neutral"}>{pr.state}</Badge>
        )}
        {pr.draft ? <Badge tone="warn">draft, not reviewed</Badge> : null}
        {pr.checks === null ? null : <Badge tone={CHECKS[pr.checks.state]}>checks {pr.checks.state}</Badge>}
        <Badge tone={pr.reviews === "approved" ? "good" : pr.reviews === "changes-requested" ? "bad" : "neutral"}>
          {pr.reviews === "none" ? "no review yet" : pr.reviews}
        </Badge>
        {pr.current ? null : <Badge tone="warn">about an earlier head</Badge>}
      </p>
      <p>{pr.summary}</p>
      <Group title="Needs a person" lines={pr.needsPerson.map((text) => ({ key: text, text, reply: null }))} />
      <Group
        title="Failing checks"
        lines={(pr.checks?.failing ?? []).map((text) => ({ key: text, text, reply: null }))}
      />
      <Group
        title="Asked for"
        lines={pr.requests.map((one) => ({
          key: `${one.source}-${one.sourceId}`,
          text: `${one.author}: ${one.text}`,
          reply: one.reply,
        }))}
      />
      <Group
        title="Questions"
        lines={pr.questions.map((one) => ({
          key: String(one.sourceId),
          text: `${one.author}: ${one.question}`,
          reply: one.reply,
        }))}
      />
    </div>
  );
}

function Group({ title, lines }: { title: string; lines: { key: string; text: string; reply: string | null }[] }) {
  if (lines.length === 0) return null;
  return (
    <section>
      <h2 className="mb-1 text-xs font-semibold text-muted">{title}</h2>
      <ul className="flex flex-col gap-2">
        {lines.map(({ key, text, reply }) => (
          <li key={key} className="rounded-md border border-line bg-panel p-2">
            <p className="whitespace-pre-wrap">{text}</p>
            {reply === null ? null : <p className="mt-1 border-l-2 border-accent pl-2 text-muted">{reply}</p>}
          </li>
        ))}
      </ul>
    </section>
  );
}
