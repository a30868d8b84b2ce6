import type { ApiEscalation, ApiLoopState } from "@anneal/types";
import { useState } from "react";
import { useOffer } from "../../../../shortcuts/use-offer.ts";
import { Button } from "../../../ui/button.tsx";
import { Kbd } from "../../../ui/kbd.tsx";
import { words } from "../../../ui/words.ts";
import { type AskedWord, SignalDialog } from "./signal-dialog.tsx";
import { type ReviewChoice, useChoices } from "./use-choices.ts";

/** What a person is asked when a loop cannot go on by itself: how it stands, and the ways out. */
export function Escalation({ project, loop }: { project: string; loop: ApiLoopState }) {
  const { packet, choices } = useChoices(project, loop);
  const [asking, setAsking] = useState<AskedWord | null>(null);
  const ask = (choice: ReviewChoice) => setAsking({ loop, word: { ...choice, takesNote: true }, name: choice.text });
  useOffer(
    choices.map((choice) => ({
      id: `choice-${choice.key}`,
      title: `(${choice.key}) ${choice.text}`,
      group: "Decision",
      key: choice.key,
      blocked: choice.whyNot ?? undefined,
      acts: true,
      run: () => ask(choice),
    })),
  );
  return (
    <>
      {loop.stage === "waiting-for-human" ? (
        <Asked loop={loop} packet={packet} choices={choices} onChoose={ask} />
      ) : null}
      {asking === null ? null : <SignalDialog project={project} asked={asking} onClose={() => setAsking(null)} />}
    </>
  );
}

interface AskedProps {
  loop: ApiLoopState;
  packet: ApiEscalation | undefined;
  choices: readonly ReviewChoice[];
  onChoose: (choice: ReviewChoice) => void;
}

function Asked({ loop, packet, choices, onChoose }: AskedProps) {
  return (
    <section
      aria-label="Needs you"
      className="flex flex-col gap-2 rounded-md border border-accent bg-accent-soft p-3 text-sm"
    >
      <p className="wrap-anywhere">
        <strong className="text-accent">Needs you{loop.reason === null ? "" : `: ${words(loop.reason)}`}.</strong>{" "}
        {loop.detail}
      </p>
      {packet === undefined ? null : <Counts packet={packet} />}
      {choices.length === 0 ? null : (
        <div className="flex flex-col gap-2">
          {choices.map((choice) => (
            <Button
              key={choice.key}
              acts
              disabled={!choice.possible}
              title={choice.whyNot ?? choice.consequence}
              className="h-auto! justify-start! py-1 text-left whitespace-normal!"
              onClick={() => onChoose(choice)}
            >
              <Kbd keys={choice.key} /> {choice.text}
            </Button>
          ))}
        </div>
      )}
    </section>
  );
}

function Counts({ packet: { counts, round, maxRounds, document } }: { packet: ApiEscalation }) {
  return (
    <p>
      Open after round {round} of {maxRounds}: {counts.critical} critical, {counts.important} important, {counts.minor}{" "}
      minor.
      {document === null ? null : (
        <>
          {" "}
          See <span className="font-mono text-xs">{document}</span>.
        </>
      )}
    </p>
  );
}
