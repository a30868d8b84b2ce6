import type { ApiLoopState } from "@anneal/types";
import { useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { type AskedWord, SignalDialog } from "../decide/signal-dialog.tsx";
import { creationOf } from "./create-pull-request.ts";

/** Asks for the pull request, as far as the loop allows it now. */
export function CreatePullRequest({ project, loop }: { project: string; loop: ApiLoopState }) {
  const [asking, setAsking] = useState<AskedWord | null>(null);
  const creation = creationOf(loop);
  const { name, word, hint } = "whyNot" in creation ? { ...NOT_NOW, hint: creation.whyNot } : creation;
  return (
    <div className="mt-3 flex flex-col items-center gap-2">
      <p>{hint}</p>
      <Button
        acts
        look={word === null ? "plain" : "main"}
        disabled={word === null}
        title={word?.consequence}
        onClick={() => word !== null && setAsking({ loop, word, name })}
      >
        {name}
      </Button>
      {asking === null ? null : <SignalDialog project={project} asked={asking} onClose={() => setAsking(null)} />}
    </div>
  );
}

const NOT_NOW = { name: "Create the pull request", word: null };
