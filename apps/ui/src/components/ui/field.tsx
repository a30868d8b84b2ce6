import { type ReactNode, useId } from "react";

/** How every field looks; its width is said where it stands. */
export const INPUT =
  "rounded-md border border-line bg-panel px-2.5 py-1.5 text-sm text-ink placeholder:text-muted focus-visible:outline-2 disabled:bg-raised disabled:text-muted aria-invalid:border-bad";

/** A labelled control with its help and its problem, tied together for screen readers. */
export function Field({
  label,
  help,
  problem,
  children,
}: {
  label: string;
  help?: ReactNode;
  problem?: string | undefined;
  children: (props: {
    id: string;
    "aria-describedby": string | undefined;
    "aria-invalid": true | undefined;
  }) => ReactNode;
}) {
  const id = useId();
  const told = [help === undefined ? "" : `${id}-help`, problem === undefined ? "" : `${id}-problem`].join(" ").trim();
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {children({
        id,
        "aria-describedby": told === "" ? undefined : told,
        "aria-invalid": problem === undefined ? undefined : true,
      })}
      {help === undefined ? null : (
        <div id={`${id}-help`} className="text-xs text-muted">
          {help}
        </div>
      )}
      {problem === undefined ? null : (
        <div id={`${id}-problem`} role="alert" className="text-xs text-bad">
          {problem}
        </div>
      )}
    </div>
  );
}
