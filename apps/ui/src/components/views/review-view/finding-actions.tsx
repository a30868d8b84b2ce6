import type { ApiFinding } from "@anneal/types";
import { Button } from "../../ui/button.tsx";

type Action = ApiFinding["actions"][number];

export const ACTION_WORDS: Readonly<Record<Action, { name: string; key: string; consequence: string; field: string }>> =
  {
    dismiss: {
      name: "Dismiss",
      key: "d",
      consequence: "It no longer blocks, and stays dismissed until this code changes.",
      field: "Why is it not a defect?",
    },
    "accept-risk": {
      name: "Accept the risk",
      key: "x",
      consequence: "It no longer blocks. The certificate says that you accepted it.",
      field: "Why is the risk worth it?",
    },
    defer: {
      name: "Defer",
      key: "shift+d",
      consequence: "It no longer blocks, and stays on the list.",
      field: "When will it be done?",
    },
    reopen: { name: "Reopen", key: "o", consequence: "It counts again.", field: "Why does it count after all?" },
    tell: {
      name: "Tell the fixer",
      key: "t",
      consequence: "The next fixer reads your note beside this finding.",
      field: "What should the fixer know?",
    },
  };

export function FindingActions({ actions, onAct }: { actions: readonly Action[]; onAct: (action: Action) => void }) {
  if (actions.length === 0) return null;
  return (
    <div className="flex flex-wrap gap-1.5">
      {actions.map((action) => (
        <Button
          key={action}
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
