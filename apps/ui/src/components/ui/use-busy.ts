import { useRef, useState } from "react";

/** Does one thing at a time: what is asked for meanwhile, by a second click or Ctrl+Enter, is not done twice. */
export function useBusy(): { busy: boolean; run(work: () => Promise<unknown>): Promise<void> } {
  const [busy, setBusy] = useState(false);
  // The second click may come before the button is drawn as busy.
  const isRunning = useRef(false);
  return {
    busy,
    async run(work) {
      if (isRunning.current) return;
      isRunning.current = true;
      setBusy(true);
      try {
        await work();
      } finally {
        isRunning.current = false;
        setBusy(false);
      }
    },
  };
}
