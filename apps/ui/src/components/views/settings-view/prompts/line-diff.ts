export interface TextDiffLine {
  kind: "same" | "added" | "removed";
  text: string;
}

/** Beyond this many comparisons the middle is shown as replaced: a browser should not think for seconds. */
const MOST_CELLS = 4_000_000;

/** Two texts line by line: the fewest lines taken away and put in. */
export function lineDiff(was: string, now: string): TextDiffLine[] {
  const [a, b] = [was.split("\n"), now.split("\n")];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  return [
    ...lines("same", a.slice(0, start)),
    ...middle(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...lines("same", end === 0 ? [] : a.slice(-end)),
  ];
}

export type FoldedLine = { line: number } & (TextDiffLine | { kind: "fold"; count: number });

/** Runs of the same lines are folded, except so many beside a change. */
export function folded(diff: readonly TextDiffLine[], around = 3): FoldedLine[] {
  const isNear = diff.map((_, index) =>
    diff.slice(Math.max(0, index - around), index + around + 1).some(({ kind }) => kind !== "same"),
  );
  const shown: FoldedLine[] = [];
  for (const [line, one] of diff.entries()) {
    const last = shown.at(-1);
    if (isNear[line]) shown.push({ line, ...one });
    else if (last?.kind === "fold") last.count++;
    else shown.push({ line, kind: "fold", count: 1 });
  }
  return shown;
}

function middle(a: readonly string[], b: readonly string[]): TextDiffLine[] {
  if (a.length * b.length > MOST_CELLS) return [...lines("removed", a), ...lines("added", b)];
  const width = b.length + 1;
  // The length of the longest common rest, for each pair of beginnings.
  const rest = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number) => rest[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      rest[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const diff: TextDiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      diff.push({ kind: "same", text: a[i++] ?? "" });
      j++;
    } else if (j >= b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1)))
      diff.push({ kind: "removed", text: a[i++] ?? "" });
    else diff.push({ kind: "added", text: b[j++] ?? "" });
  }
  return diff;
}

function lines(kind: TextDiffLine["kind"], texts: readonly string[]): TextDiffLine[] {
  return texts.map((text) => ({ kind, text }));
}
