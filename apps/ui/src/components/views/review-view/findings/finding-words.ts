import type { DispositionAction } from "@anneal/types";

interface Words {
  name: string;
  key: string;
  consequence: string;
  field: string;
}

/** How what people can do about a finding is called, and what follows from it. */
export const ACTION_WORDS: Readonly<Record<DispositionAction, Words>> = {
  dismiss: {
    name: "Dismiss",
    key: "d",
    consequence: "The finding no longer blocks. It stays dismissed until this code changes.",
    field: "Why is it not a defect?",
  },
  "accept-risk": {
    name: "Accept the risk",
    key: "x",
    consequence: "The finding no longer blocks. The certificate says that you accepted its risk.",
    field: "Why is the risk worth it?",
  },
  defer: {
    name: "Defer",
    key: "shift+d",
    consequence: "The finding no longer blocks, but stays on the list.",
    field: "When will it be done?",
  },
  reopen: { name: "Reopen", key: "o", consequence: "The finding blocks again.", field: "Why should it block?" },
  tell: {
    name: "Note for the fixer",
    key: "t",
    consequence: "The next fixer reads your note with this finding.",
    field: "What should the fixer know?",
  },
};

/** The actions with their keys, as every list of keys has them. */
export const FINDING_ACTIONS = Object.entries(ACTION_WORDS).map(([action, { name, key }]) => ({
  id: `finding-${action}`,
  title: `${name}: the finding`,
  key,
  action: action as DispositionAction,
}));
