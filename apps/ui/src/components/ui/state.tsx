import { errorMessage } from "@anneal/types/unknown";
import type { ReactNode } from "react";

/** What stands where there is nothing yet, and what to do about it. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="flex h-full flex-col items-center justify-center gap-2 p-8 text-center">
      <p className="font-medium">{title}</p>
      <div className="max-w-md text-sm text-muted">{children}</div>
    </div>
  );
}

export function Loading({ what }: { what: string }) {
  return (
    <div role="status" className="flex h-full items-center justify-center p-8 text-sm text-muted">
      Loading {what}…
    </div>
  );
}

export function Failed({ what, error, onRetry }: { what: string; error: unknown; onRetry?: () => void }) {
  return (
    <div role="alert" className="m-4 flex flex-col items-start gap-2 rounded-md border border-bad bg-bad-soft p-4">
      <p className="font-medium text-bad">Could not load {what}.</p>
      <p className="text-sm">{errorMessage(error)}</p>
      {onRetry === undefined ? null : (
        <button type="button" className="text-sm font-medium text-accent underline" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}
