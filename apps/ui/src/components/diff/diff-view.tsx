import { type FileDiffMetadata, parsePatchFiles } from "@pierre/diffs";
import { CodeView, type CodeViewHandle, WorkerPoolContextProvider } from "@pierre/diffs/react";
import DiffWorker from "@pierre/diffs/worker/worker.js?worker";
import { type ReactNode, type Ref, useImperativeHandle, useMemo, useRef } from "react";
import { useTheme } from "../shell/use-theme.ts";

// The only file that knows which library draws diffs.

/** Something that is pinned to a line of the new text. */
export interface Pin {
  key: string;
  file: string;
  line: number;
}

export interface DiffHandle {
  goTo(file: string, line?: number): void;
}

interface DiffProps {
  patch: string;
  layout: "unified" | "split";
  pins: readonly Pin[];
  renderPin: (pin: Pin) => ReactNode;
  /** Files that are shown folded: what tools wrote, or what was looked at. */
  folded: ReadonlySet<string>;
  renderFileActions?: (file: string) => ReactNode;
  onLine?: (file: string, line: number) => void;
  ref?: Ref<DiffHandle>;
}

const THEMES = { dark: "github-dark-high-contrast", light: "github-light-high-contrast" } as const;
const POOL = { workerFactory: () => new DiffWorker(), poolSize: 2 };
const HIGHLIGHTING = { theme: THEMES };

export function DiffView({ patch, layout, pins, renderPin, folded, renderFileActions, onLine, ref }: DiffProps) {
  const viewer = useRef<CodeViewHandle<Pin, undefined>>(null);
  const themeType = useTheme();
  const files = useMemo(() => filesOf(patch), [patch]);
  const items = useMemo(() => {
    const byFile = Map.groupBy(pins, ({ file }) => file);
    return files.map((fileDiff, index) => {
      const annotations = (byFile.get(fileDiff.name) ?? []).map((pin) => ({
        side: "additions" as const,
        lineNumber: nearestShown(fileDiff, pin.line),
        metadata: pin,
      }));
      const collapsed = folded.has(fileDiff.name);
      // The version tells the viewer that something about the file has changed.
      const version = index + annotations.length * 10_000 + (collapsed ? 5_000 : 0);
      return { id: fileDiff.name, type: "diff" as const, fileDiff, annotations, collapsed, version };
    });
  }, [files, pins, folded]);
  useImperativeHandle(
    ref,
    () => ({
      goTo(file, line) {
        const shown = files.find(({ name }) => name === file);
        if (shown === undefined) return;
        viewer.current?.scrollTo(
          line === undefined
            ? { type: "item", id: file, align: "start" }
            : { type: "line", id: file, lineNumber: nearestShown(shown, line), side: "additions", align: "center" },
        );
      },
    }),
    [files],
  );
  return (
    <WorkerPoolContextProvider poolOptions={POOL} highlighterOptions={HIGHLIGHTING}>
      <CodeView<Pin>
        ref={viewer}
        items={items}
        className="h-full overflow-auto"
        options={{
          theme: THEMES,
          themeType,
          diffStyle: layout,
          stickyHeaders: true,
          overflow: "scroll",
          onLineNumberClick: ({ lineNumber }, { item }) => onLine?.(item.id, lineNumber),
        }}
        renderAnnotation={(...[annotation]) =>
          annotation.metadata === undefined ? null : renderPin(annotation.metadata)
        }
        renderHeaderMetadata={(item) => renderFileActions?.(item.id)}
      />
    </WorkerPoolContextProvider>
  );
}

function filesOf(patch: string): FileDiffMetadata[] {
  return parsePatchFiles(patch).flatMap(({ files }) => files);
}

/** A finding may stand on a line that the diff does not show: then it hangs on the nearest one that it does. */
function nearestShown({ hunks }: FileDiffMetadata, line: number): number {
  let best = line;
  let distance = Number.POSITIVE_INFINITY;
  for (const { additionStart, additionCount } of hunks) {
    const last = additionStart + Math.max(additionCount, 1) - 1;
    const near = Math.min(Math.max(line, additionStart), last);
    if (Math.abs(near - line) < distance) [best, distance] = [near, Math.abs(near - line)];
  }
  return best;
}
