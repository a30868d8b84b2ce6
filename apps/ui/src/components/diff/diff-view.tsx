import { type FileDiffMetadata, parsePatchFiles, preloadHighlighter } from "@pierre/diffs";
import { CodeView, type CodeViewHandle, type CodeViewProps, WorkerPoolContext } from "@pierre/diffs/react";
import { WorkerPoolManager } from "@pierre/diffs/worker";
import DiffWorker from "@pierre/diffs/worker/worker.js?worker";
import { type CSSProperties, type ReactNode, type Ref, useImperativeHandle, useMemo, useRef, useState } from "react";
import { useTheme } from "../shell/use-theme.ts";

// The only file that knows which library draws diffs.

/** A line of a file: of the text after the change, or of the one before. */
export interface DiffLine {
  file: string;
  line: number;
  side: "new" | "old";
}

/** Something that is pinned to a line. */
export interface Pin<T> extends DiffLine {
  key: string;
  of: T;
}

export interface DiffHandle {
  goTo(file: string, line?: number): void;
}

interface DiffProps<T> {
  patch: string;
  layout: "unified" | "split";
  pins: readonly Pin<T>[];
  renderPin: (pin: Pin<T>) => ReactNode;
  /** Files that are shown folded: what tools wrote, or what was looked at. */
  folded: ReadonlySet<string>;
  renderFileActions?: (file: string) => ReactNode;
  /** The line that is looked at. */
  marked: DiffLine | null;
  onLine: (line: DiffLine) => void;
  ref?: Ref<DiffHandle>;
}

const THEMES = { dark: "github-dark-high-contrast", light: "github-light-high-contrast" } as const;
// Without workers the page finds the colours by itself.
const POOL = { workerFactory: () => new DiffWorker(), poolSize: 2, onWorkerError: () => {} };
const HIGHLIGHTING = { theme: THEMES };
type Selection = NonNullable<CodeViewProps<unknown, undefined>["selectedLines"]> | null;
/** The number of a marked line stands out; its text stays as readable as the others. */
const MARKED = { "--diffs-bg-selection-override": "var(--color-page)" } as CSSProperties;
const SIDES = { new: "additions", old: "deletions" } as const;

/** Loads what the viewer fetches by itself and draws nothing without, so that whoever shows it knows when that fails. */
export function loadViewer(): Promise<void> {
  startedWorkers();
  return preloadHighlighter({ themes: Object.values(THEMES), langs: ["text"] });
}

let workers: WorkerPoolManager | null = null;

/** The viewer draws no line before its workers run: they start with its code, before there is a patch, and stay. */
function startedWorkers(): WorkerPoolManager {
  if (workers?.isWorkingPool() !== true) workers = new WorkerPoolManager(POOL, HIGHLIGHTING);
  return workers;
}

export function DiffView<T>(props: DiffProps<T>) {
  const { patch, layout, pins, renderPin, folded, renderFileActions, marked, onLine, ref } = props;
  const viewer = useRef<CodeViewHandle<Pin<T>, undefined>>(null);
  const [pool] = useState(startedWorkers);
  const themeType = useTheme();
  const files = useMemo(() => filesOf(patch), [patch]);
  const text = useMemo(() => hashOf(patch), [patch]);
  const items = useMemo(() => {
    const byFile = Map.groupBy(pins, ({ file }) => file);
    return files.map((fileDiff) => {
      const annotations = (byFile.get(fileDiff.name) ?? []).map((pin) => ({
        side: SIDES[pin.side],
        lineNumber: nearestShown(fileDiff, pin),
        metadata: pin,
      }));
      const collapsed = folded.has(fileDiff.name);
      // The viewer draws a file anew only when its version is another one.
      const shown = annotations.map(({ lineNumber, metadata }) => `${metadata.key} ${lineNumber}`);
      const version = hashOf(`${text} ${collapsed} ${shown.join()}`);
      return { id: fileDiff.name, type: "diff" as const, fileDiff, annotations, collapsed, version };
    });
  }, [text, files, pins, folded]);
  useImperativeHandle(
    ref,
    () => ({
      goTo(file, line) {
        const shown = files.find(({ name }) => name === file);
        if (shown === undefined) return;
        viewer.current?.scrollTo(
          line === undefined
            ? { type: "item", id: file, align: "start" }
            : {
                type: "line",
                id: file,
                lineNumber: nearestShown(shown, { line, side: "new" }),
                side: "additions",
                align: "center",
              },
        );
      },
    }),
    [files],
  );
  return (
    <WorkerPoolContext value={pool}>
      <CodeView<Pin<T>>
        ref={viewer}
        items={items}
        className="h-full overflow-auto"
        style={MARKED}
        options={{
          theme: THEMES,
          themeType,
          diffStyle: layout,
          stickyHeaders: true,
          overflow: "scroll",
          onLineNumberClick: ({ lineNumber, ...clicked }, { item }) => {
            const isOld = "annotationSide" in clicked && clicked.annotationSide === "deletions";
            onLine({ file: item.id, line: lineNumber, side: isOld ? "old" : "new" });
          },
        }}
        selectedLines={selectionOf(files, marked)}
        renderAnnotation={(...[annotation]) =>
          annotation.metadata === undefined ? null : renderPin(annotation.metadata)
        }
        renderHeaderMetadata={(item) => renderFileActions?.(item.id)}
      />
    </WorkerPoolContext>
  );
}

function filesOf(patch: string): FileDiffMetadata[] {
  return parsePatchFiles(patch).flatMap(({ files }) => files);
}

function selectionOf(files: readonly FileDiffMetadata[], marked: DiffLine | null): Selection {
  const shown = files.find(({ name }) => name === marked?.file);
  if (marked === null || shown === undefined) return null;
  const at = nearestShown(shown, marked);
  return { id: marked.file, range: { start: at, end: at, side: SIDES[marked.side], endSide: SIDES[marked.side] } };
}

/** A number that stands for a text: another one for another text, as good as always. */
function hashOf(text: string): number {
  let hash = 0;
  for (let at = 0; at < text.length; at += 1) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return hash;
}

/** A finding may stand on a line that the diff does not show: then it hangs on the nearest one that it does. */
function nearestShown({ hunks }: FileDiffMetadata, { line, side }: Pick<DiffLine, "line" | "side">): number {
  let best = line;
  let distance = Number.POSITIVE_INFINITY;
  for (const { additionStart, additionCount, deletionStart, deletionCount } of hunks) {
    const [first, count] = side === "new" ? [additionStart, additionCount] : [deletionStart, deletionCount];
    const last = first + Math.max(count, 1) - 1;
    const near = Math.min(Math.max(line, first), last);
    if (Math.abs(near - line) < distance) [best, distance] = [near, Math.abs(near - line)];
  }
  return best;
}
