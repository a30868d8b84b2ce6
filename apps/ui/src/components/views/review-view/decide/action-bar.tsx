import type { ApiLoopState, ApiSignal } from "@anneal/types";
import { useState } from "react";
import { toast } from "sonner";
import { useOffer } from "../../../../shortcuts/use-offer.ts";
import { Button } from "../../../ui/button.tsx";
import { type AskedWord, SignalDialog } from "./signal-dialog.tsx";
import { SIGNAL_WORDS } from "./signals.ts";
import { useChoices } from "./use-choices.ts";
import { useSay } from "./use-say.ts";

const MAIN = new Set(["resume", "approve", "one-more", "retry"]);

/** What a person may say to the loop now. Each says what follows; only what cannot be taken back is asked about. */
export function ActionBar({ project, loop }: { project: string; loop: ApiLoopState }) {
  const [asking, setAsking] = useState<AskedWord | null>(null);
  const { say } = useSay(project, loop);
  const { choices } = useChoices(project, loop);
  // What the loop asks already offers these, in its own words.
  const words = loop.signals.filter(({ signal }) => !choices.some((choice) => choice.signal === signal));
  const choose = (word: ApiSignal) => {
    if (word.takesNote || !word.undoable) setAsking({ loop, word });
    else
      void say(word.signal, "").then((refused) => {
        if (refused === null) toast.success(word.consequence);
        else toast.error(refused);
      });
  };
  useOffer(
    words.map((word) => ({
      id: `signal-${word.signal}`,
      title: SIGNAL_WORDS[word.signal].name,
      group: "Loop",
      key: SIGNAL_WORDS[word.signal].key,
      acts: true,
      run: () => choose(word),
    })),
  );
  return (
    <section className="flex flex-wrap items-center gap-1.5" aria-label="Actions for this loop">
      {words.map((word) => (
        <Button
          key={word.signal}
          acts
          look={MAIN.has(word.signal) ? "main" : "plain"}
          title={word.consequence}
          onClick={() => choose(word)}
        >
          {SIGNAL_WORDS[word.signal].name}
        </Button>
      ))}
      {asking === null ? null : <SignalDialog project={project} asked={asking} onClose={() => setAsking(null)} />}
    </section>
  );
}
