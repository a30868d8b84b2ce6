import type { ApiLoopState, ApiSignal } from "@anneal/types";
import { useState } from "react";
import { toast } from "sonner";
import { useOffer } from "../../../shortcuts/use-offer.ts";
import { Button } from "../../ui/button.tsx";
import { saySignal } from "./say.ts";
import { SIGNAL_WORDS } from "./signals.ts";
import { WordDialog } from "./word-dialog.tsx";

const MAIN = new Set(["resume", "approve", "one-more", "retry"]);

/** What a person may say to the loop now. Each says what follows; only what cannot be taken back is asked about. */
export function ActionBar({ project, loop }: { project: string; loop: ApiLoopState }) {
  const [asking, setAsking] = useState<ApiSignal | null>(null);
  const choose = (word: ApiSignal) => {
    if (word.takesNote || !word.undoable) setAsking(word);
    else
      void saySignal(project, loop.item, word.signal, "").then((refused) => {
        if (refused === null) toast.success(word.consequence);
        else toast.error(refused);
      });
  };
  useOffer(
    loop.signals.map((word) => ({
      id: `signal-${word.signal}`,
      title: SIGNAL_WORDS[word.signal].name,
      group: "Loop",
      key: SIGNAL_WORDS[word.signal].key,
      run: () => choose(word),
    })),
  );
  return (
    <section className="flex flex-wrap items-center gap-1.5" aria-label="What you can say to this loop">
      {loop.signals.map((word) => (
        <Button
          key={word.signal}
          look={MAIN.has(word.signal) ? "main" : "plain"}
          title={word.consequence}
          onClick={() => choose(word)}
        >
          {SIGNAL_WORDS[word.signal].name}
        </Button>
      ))}
      {asking === null ? null : (
        <WordDialog
          title={SIGNAL_WORDS[asking.signal].name}
          consequence={asking.consequence}
          field={asking.takesNote ? { label: "A note that goes along (not needed)", required: false } : null}
          verb={SIGNAL_WORDS[asking.signal].name}
          danger={!asking.undoable}
          onSay={(note) => saySignal(project, loop.item, asking.signal, note)}
          onClose={() => setAsking(null)}
        />
      )}
    </section>
  );
}
