import type { ApiFinding } from "@anneal/types";
import { Button } from "../../../ui/button.tsx";
import { ACTION_WORDS } from "./finding-words.ts";

type Action = ApiFinding["actions"][number];

export function FindingActions({ actions, onAct }: { actions: readonly Action[]; onAct: (action: Action) => void }) {
  if (actions.length === 0) return null;
  return (
    <div className="flex flex-wrap gap-1.5">
      {actions.map((action) => (
        <Button
          key={action}
          acts
          className="h-7 px-2 text-xs"
          title={ACTION_WORDS[action].consequence}
          onClick={() => onAct(action)}
        >
          {ACTION_WORDS[action].name}…
        </Button>
      ))}
    </div>
  );
}
