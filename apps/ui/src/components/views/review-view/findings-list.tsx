import type { ApiFinding, DispositionRequest } from "@anneal/types";
import { useState } from "react";
import { useOffer } from "../../../shortcuts/use-offer.ts";
import { ACTION_WORDS } from "./finding-actions.tsx";
import { FindingRow } from "./finding-row.tsx";
import { rule } from "./say.ts";
import { sorted } from "./severity.ts";
import { WordDialog } from "./word-dialog.tsx";

interface ListProps {
  project: string;
  loop: string;
  findings: readonly ApiFinding[];
  selected: string | null;
  onSelect: (fingerprint: string | null) => void;
}

export function FindingsList({ project, loop, findings, selected, onSelect }: ListProps) {
  const [acting, setActing] = useState<{ one: ApiFinding; action: DispositionRequest["action"] } | null>(null);
  const { blocking, below, settled } = sorted(findings);
  const chosen = findings.find(({ fingerprint }) => fingerprint === selected);
  useOffer(
    (chosen?.actions ?? []).map((action) => ({
      id: `finding-${action}`,
      title: `${ACTION_WORDS[action].name}: the finding`,
      group: "Finding",
      key: ACTION_WORDS[action].key,
      run: () => chosen !== undefined && setActing({ one: chosen, action }),
    })),
  );
  const rows = (members: readonly ApiFinding[]) =>
    members.map((one) => (
      <FindingRow
        key={one.fingerprint}
        one={one}
        selected={one.fingerprint === selected}
        onSelect={() => onSelect(one.fingerprint === selected ? null : one.fingerprint)}
        onAct={(action) => setActing({ one, action })}
      />
    ));
  return (
    <div className="h-full overflow-y-auto">
      <Group name="Blocks" count={blocking.length} empty="Nothing holds this change back.">
        {rows(blocking)}
      </Group>
      <Group name="Below the line" count={below.length}>
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
          onSay={(text) => rule(project, loop, acting.one.fingerprint, rulingOf(acting.action, text))}
          onClose={() => setActing(null)}
        />
      )}
    </div>
  );
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
  empty?: string;
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
