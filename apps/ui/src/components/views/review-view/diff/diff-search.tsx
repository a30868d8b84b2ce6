import { useMemo, useRef, useState } from "react";
import { useOffer } from "../../../../shortcuts/use-offer.ts";
import { INPUT } from "../../../ui/field.tsx";
import { type PatchLine, placesOf } from "./patch-places.ts";

/** Finds text in the whole diff: the browser's own search sees only the lines on the screen. */
export function DiffSearch({ patch, onGo }: { patch: string; onGo: (file: string, line: number) => void }) {
  const [text, setText] = useState("");
  // Before the first.
  const [index, setIndex] = useState(-1);
  const field = useRef<HTMLInputElement>(null);
  const places = useMemo(() => (text.length < 2 ? [] : placesOf(patch, text)), [patch, text]);
  const go = (to: number) => {
    const place: PatchLine | undefined = places[(to + places.length) % places.length];
    if (place === undefined) return;
    setIndex((to + places.length) % places.length);
    onGo(place.file, place.line);
  };
  useOffer([
    { id: "diff-search", title: "Search in the diff", group: "Diff", key: "/", run: () => field.current?.focus() },
  ]);
  return (
    <span className="flex items-center gap-2">
      <input
        ref={field}
        type="search"
        aria-label="Search in the diff"
        placeholder="Search in the diff"
        className={`${INPUT} w-44`}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          setIndex(-1);
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter") go(event.shiftKey ? Math.max(index, 0) - 1 : index + 1);
          if (event.key === "Escape") event.currentTarget.blur();
        }}
      />
      {text.length < 2 ? null : (
        <span role="status" className="text-xs text-muted">
          {places.length === 0
            ? "not found"
            : index < 0
              ? `${places.length} found`
              : `${index + 1} of ${places.length}`}
        </span>
      )}
    </span>
  );
}
