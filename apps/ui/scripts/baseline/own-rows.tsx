import { useVirtualizer } from "@tanstack/react-virtual";
import { useMemo, useRef } from "react";
import type * as ours from "../../src/components/diff/diff-view.tsx";

const ROW_HEIGHT = 20;

/** There is nothing to load. */
export const loadViewer: typeof ours.loadViewer = async () => {};

/** The least that shows a diff of any length: its lines as they are, those on the screen only, without colours of a language. */
export const DiffView: typeof ours.DiffView = ({ patch }) => {
  const scroller = useRef<HTMLDivElement>(null);
  const lines = useMemo(() => patch.split("\n"), [patch]);
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 10,
  });
  return (
    <div ref={scroller} className="h-full overflow-auto font-mono text-xs">
      <div className="relative" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ key, index, start, size }) => {
          const line = lines[index] ?? "";
          return (
            <pre
              key={key}
              data-line={index}
              className={`absolute inset-x-0 px-3 ${LOOKS[line.charAt(0)] ?? ""}`}
              style={{ transform: `translateY(${start}px)`, height: size }}
            >
              {line}
            </pre>
          );
        })}
      </div>
    </div>
  );
};

const LOOKS: Readonly<Record<string, string>> = { "+": "bg-good-soft text-good", "-": "bg-bad-soft text-bad" };
