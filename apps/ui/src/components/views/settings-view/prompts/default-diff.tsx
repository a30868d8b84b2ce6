import { useMemo, useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { counted } from "../../../ui/numbers.ts";
import { folded, lineDiff } from "./line-diff.ts";

const LOOKS = {
  same: { sign: " ", name: "", look: "text-muted" },
  added: { sign: "+", name: "added: ", look: "bg-good-soft text-good" },
  removed: { sign: "−", name: "removed: ", look: "bg-bad-soft text-bad" },
};

/** So many lines at a time: thousands of them would hold up the page. */
const AT_ONCE = 200;

/** Which lines of a text are not the default's. */
export function DefaultDiff({ was, now }: { was: string; now: string }) {
  const lines = useMemo(() => folded(lineDiff(was, now)), [was, now]);
  const [most, setMost] = useState(AT_ONCE);
  const more = Math.min(lines.length - most, AT_ONCE);
  if (was === now) return <p className="mt-3 rounded-md bg-raised p-4 text-sm text-muted">The same as the default.</p>;
  return (
    <section
      aria-label="Compared with the default"
      className="mt-3 overflow-hidden rounded-md border border-line font-mono text-xs"
    >
      {lines.slice(0, most).map((one) =>
        one.kind === "fold" ? (
          <div key={one.line} className="bg-raised px-3 py-0.5 text-muted">
            {counted(one.count, "line")} as in the default
          </div>
        ) : (
          <div key={one.line} className={`flex gap-2 px-3 break-words whitespace-pre-wrap ${LOOKS[one.kind].look}`}>
            <span aria-hidden className="w-2 shrink-0">
              {LOOKS[one.kind].sign}
            </span>
            <span className="min-w-0">
              <span className="sr-only">{LOOKS[one.kind].name}</span>
              {one.text}
            </span>
          </div>
        ),
      )}
      {more <= 0 ? null : (
        <Button className="m-2 font-sans" onClick={() => setMost(most + AT_ONCE)}>
          Show {more} more of {lines.length} lines
        </Button>
      )}
    </section>
  );
}
