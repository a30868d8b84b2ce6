export function Kbd({ keys }: { keys: string }) {
  return (
    <kbd className="rounded border border-line bg-raised px-1.5 py-0.5 font-mono text-[11px] text-muted">{keys}</kbd>
  );
}
