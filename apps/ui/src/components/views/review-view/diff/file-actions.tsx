interface FileActionsProps {
  folded: boolean;
  viewed: boolean;
  onOpen: () => void;
  onViewed: () => void;
}

export function FileActions({ folded, viewed, onOpen, onViewed }: FileActionsProps) {
  return (
    <span className="flex items-center gap-2 font-sans text-xs">
      {folded && !viewed ? (
        <button type="button" className="text-accent underline" onClick={onOpen}>
          Generated file: show it
        </button>
      ) : null}
      <label className="flex items-center gap-1">
        <input type="checkbox" className="size-3.5 accent-accent" checked={viewed} onChange={onViewed} />
        viewed
      </label>
    </span>
  );
}
