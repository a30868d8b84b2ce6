import type { ApiLoopState } from "@anneal/types";
import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { CommentsAlong } from "./comments-along.tsx";
import { creationOf } from "./create-pull-request.ts";
import { useSay } from "./use-say.ts";
import { WordDialog } from "./word-dialog.tsx";

/** Asks for the pull request, as far as the loop allows it now. */
export function CreatePullRequest({ project, loop }: { project: string; loop: ApiLoopState }) {
  const [asking, setAsking] = useState(false);
  const { say, alongWith } = useSay(project, loop);
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
        onClick={() => setAsking(true)}
      >
        {name}
      </Button>
      {asking && word !== null ? (
        <WordDialog
          title={name}
          consequence={word.consequence}
          field={word.takesNote ? { label: "A note that goes along (not needed)", required: false } : null}
          verb={name}
          draft={`${project}/${loop.id}/${word.signal}`}
          along={<CommentsAlong comments={alongWith(word.signal)} />}
          onSay={(note) => say(word.signal, note)}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </div>
  );
}

const NOT_NOW = { name: "Create the pull request", word: null };
