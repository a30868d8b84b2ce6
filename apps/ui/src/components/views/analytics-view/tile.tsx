import type { ReactNode } from "react";

export function Tile({ name, value, note }: { name: string; value: string; note: ReactNode }) {
  return (
    <div className="flex flex-col gap-1 rounded-md border border-line bg-panel p-3">
      <dt className="text-xs text-muted">{name}</dt>
      <dd className="flex flex-col gap-1">
        <span className="text-xl font-semibold tabular-nums">{value}</span>
        <span className="text-xs text-muted">{note}</span>
      </dd>
    </div>
  );
}
