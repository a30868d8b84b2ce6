import type { ApiEscalation, ApiLoopState } from "@anneal/types";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { escalationQuery } from "../../../api/queries.ts";
import { useOffer } from "../../../shortcuts/use-offer.ts";
import { Button } from "../../ui/button.tsx";
import { Kbd } from "../../ui/kbd.tsx";
import { words } from "../board-view/constants.ts";
import { saySignal } from "./say.ts";
import { WordDialog } from "./word-dialog.tsx";

type Choice = ApiEscalation["choices"][number];

/** What a person is asked when a loop cannot go on by itself: how it stands, and the ways out. */
export function Escalation({ project, loop }: { project: string; loop: ApiLoopState }) {
  const { data } = useQuery({ ...escalationQuery(project, loop.id, loop.lastSeq), enabled: loop.escalated });
  const [asking, setAsking] = useState<Choice | null>(null);
  // Three ways out that are all shut are those of another kind of work.
  const offered = loop.escalated ? (data?.choices ?? []) : [];
  const choices = offered.some(({ possible }) => possible) ? offered : [];
  useOffer(
    choices.map((choice) => ({
      id: `choice-${choice.key}`,
      title: `(${choice.key}) ${choice.text}`,
      group: "This loop asks",
      key: choice.key,
      blocked: choice.whyNot ?? undefined,
      run: () => setAsking(choice),
    })),
  );
  if (loop.stage !== "waiting-for-human") return null;
  return (
    <section
      aria-label="Needs you"
      className="flex flex-col gap-2 rounded-md border border-accent bg-accent-soft p-3 text-sm"
    >
      <p>
        <strong className="text-accent">Needs you{loop.reason === null ? "" : `: ${words(loop.reason)}`}.</strong>{" "}
        {loop.detail}
      </p>
      {loop.escalated && data !== undefined ? <Counts packet={data} /> : null}
      {choices.length === 0 ? null : (
        <div className="flex flex-col gap-2">
          {choices.map((choice) => (
            <Button
              key={choice.key}
              disabled={!choice.possible}
              title={choice.whyNot ?? choice.consequence}
              className="h-auto! justify-start! py-1 text-left whitespace-normal!"
              onClick={() => setAsking(choice)}
            >
              <Kbd keys={choice.key} /> {choice.text}
            </Button>
          ))}
        </div>
      )}
      {asking === null ? null : (
        <WordDialog
          title={asking.text}
          consequence={asking.consequence}
          field={{ label: "A note that goes along (not needed)", required: false }}
          verb={asking.text}
          danger={!asking.undoable}
          onSay={(note) => saySignal(project, loop.item, asking.signal, note)}
          onClose={() => setAsking(null)}
        />
      )}
    </section>
  );
}

function Counts({ packet: { counts, round, maxRounds, document } }: { packet: ApiEscalation }) {
  return (
    <p>
      After round {round} of {maxRounds} there are open: {counts.critical} critical, {counts.important} important,{" "}
      {counts.minor} minor.
      {document === null ? null : (
        <>
          {" "}
          Written down in <span className="font-mono text-xs">{document}</span>.
        </>
      )}
    </p>
  );
}
