import type { ApiFinding, ApiLoopState, DispositionRequest } from "@anneal/types";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { rule } from "../../../../api/actions.ts";
import { pullRequestQuery } from "../../../../api/queries.ts";
import { useOffer } from "../../../../shortcuts/use-offer.ts";
import { WordDialog } from "../decide/word-dialog.tsx";
import { AskedFor } from "./asked-for.tsx";
import { FindingRow } from "./finding-row.tsx";
import { ACTION_WORDS, FINDING_ACTIONS } from "./finding-words.ts";
import { fixPlace } from "./fix-place.ts";
import { nothingBlocks, openRequests } from "./nothing-blocks.ts";
import { sorted } from "./severity.ts";

interface ListProps {
  project: string;
  loop: ApiLoopState;
  findings: readonly ApiFinding[];
  selected: string | null;
  onSelect: (fingerprint: string | null) => void;
}

export function FindingsList({ project, loop, findings, selected, onSelect }: ListProps) {
  const [acting, setActing] = useState<{ one: ApiFinding; action: DispositionRequest["action"] } | null>(null);
  const { blocking, below, settled } = sorted(findings);
  const opened = loop.pullRequest !== null;
  const { data: pr } = useQuery({ ...pullRequestQuery(project, loop.id), enabled: opened });
  const { sentence, seePullRequest } = nothingBlocks(loop, opened ? pr : null);
  const requests = openRequests(loop, pr);
  const chosen = findings.find(({ fingerprint }) => fingerprint === selected);
  const showFix = useShowFix(project, loop.item);
  useOffer([
    ...FINDING_ACTIONS.map(({ action, ...offered }) => ({
      ...offered,
      group: "Finding",
      blocked:
        chosen === undefined
          ? "choose a finding first"
          : chosen.actions.includes(action)
            ? undefined
            : "this action is not possible for the finding now",
      run: () => chosen !== undefined && setActing({ one: chosen, action }),
    })),
    {
      id: "finding-fix",
      title: "Show what fixed the finding",
      group: "Finding",
      key: "h",
      blocked: chosen === undefined ? "choose a finding first" : chosen.fix === null ? "nothing fixed it" : undefined,
      run: () => chosen !== undefined && showFix(chosen),
    },
  ]);
  const rows = (members: readonly ApiFinding[]) =>
    members.map((one) => (
      <FindingRow
        key={one.fingerprint}
        one={one}
        selected={one.fingerprint === selected}
        onSelect={() => onSelect(one.fingerprint === selected ? null : one.fingerprint)}
        onAct={(action) => setActing({ one, action })}
        onFix={() => showFix(one)}
      />
    ));
  return (
    <div className="relative h-full overflow-y-auto">
      <Group
        name="Blocks"
        count={blocking.length}
        empty={
          <>
            {sentence} {seePullRequest ? <ToPullRequest project={project} item={loop.item} /> : null}
          </>
        }
      >
        {rows(blocking)}
      </Group>
      <Group name="Requested on the pull request" count={requests.length}>
        {requests.map((one) => (
          <AskedFor key={`${one.source} ${one.sourceId}`} project={project} item={loop.item} one={one} />
        ))}
      </Group>
      <Group name="Below the threshold" count={below.length}>
        {rows(below)}
      </Group>
      <Group name="Settled" count={settled.length}>
        {rows(settled)}
      </Group>
      {acting === null ? null : (
        <WordDialog
          title={`${ACTION_WORDS[acting.action].name}: ${acting.one.finding.title}`}
          consequence={ACTION_WORDS[acting.action].consequence}
          field={{ label: ACTION_WORDS[acting.action].field, required: true }}
          verb={ACTION_WORDS[acting.action].name}
          draft={`${project}/${loop.id}/${acting.one.fingerprint}/${acting.action}`}
          onSay={(text) => rule(project, loop.id, acting.one.fingerprint, rulingOf(acting.action, text))}
          onClose={() => setActing(null)}
        />
      )}
    </div>
  );
}

function ToPullRequest({ project, item }: { project: string; item: string }) {
  return (
    <Link
      to="/p/$project/review/$item"
      params={{ project, item }}
      search={(before) => ({ ...before, tab: "pull-request" })}
      replace
      className="text-accent underline"
    >
      See the pull request
    </Link>
  );
}

/** Goes to what was changed between the round that found something and the one after, where the fix is. */
function useShowFix(project: string, item: string): (one: ApiFinding) => void {
  const navigate = useNavigate();
  return (one) => {
    const place = fixPlace(one);
    if (place === null) return;
    const { from, to, file, line } = place;
    void navigate({
      to: "/p/$project/review/$item",
      params: { project, item },
      search: ({ file: _, line: __, ...before }) => ({
        ...before,
        tab: "diff",
        finding: one.fingerprint,
        from,
        to,
        ...(file === undefined ? {} : { file }),
        ...(line === undefined ? {} : { line }),
      }),
      replace: true,
    });
  };
}

function rulingOf(action: DispositionRequest["action"], text: string): DispositionRequest {
  return action === "tell" ? { action, note: text } : { action, reason: text };
}

function Group({
  name,
  count,
  empty,
  children,
}: {
  name: string;
  count: number;
  empty?: React.ReactNode;
  children: React.ReactNode;
}) {
  if (count === 0 && empty === undefined) return null;
  return (
    <section aria-label={`${name}, ${count}`}>
      <h2 className="sticky top-0 z-10 flex gap-2 border-b border-line bg-panel px-3 py-1.5 text-xs font-semibold text-muted">
        {name} <span className="font-normal">{count}</span>
      </h2>
      {count === 0 ? <p className="px-3 py-2 text-sm text-muted">{empty}</p> : <ul>{children}</ul>}
    </section>
  );
}
