import { createHash } from "node:crypto";
import type { ChangedFile, FileStatus, Finding, Hunk } from "@anneal/types";
import type { Change } from "../../../ports.ts";
import { builtinReviewer } from "../reviewer.ts";

/** One file of a change made up for a test: its text before and after, either of which may be missing. */
export interface Edit {
  path: string;
  before?: string;
  after?: string;
  oldPath?: string;
  mode?: string;
  skipped?: string;
}

/** A change that lives in memory, with real hunks. */
export function changeOf(edits: Edit[], options: { readable?: boolean } = {}): Change {
  const blobs = new Map<string, string>();
  const files = edits.map((edit) => changedFile(edit, blobs));
  return {
    bounds: { base: "base", head: "head", headKind: "commit" },
    async *files() {
      yield* files;
    },
    content: async (blob) => (options.readable === false ? null : (blobs.get(blob) ?? null)),
  };
}

/** The findings of the embedded reviewer on a change that it can judge. */
export async function findingsOf(edits: Edit[]): Promise<Finding[]> {
  const { report } = await builtinReviewer.review(changeOf(edits), new AbortController().signal);
  if (report.status !== "complete") throw new Error(report.reason);
  return report.findings;
}

/** Findings as `rule@line`, the shape that tables compare. */
export async function seen(edits: Edit[], rule?: string): Promise<string[]> {
  const findings = await findingsOf(edits);
  return findings
    .filter((one) => rule === undefined || one.rule === rule)
    .map((one) => `${one.rule}@${one.line ?? "-"}`);
}

function changedFile(edit: Edit, blobs: Map<string, string>): ChangedFile {
  const { path, before, after, oldPath, mode = "100644", skipped } = edit;
  return {
    path,
    ...(oldPath !== undefined && { oldPath }),
    status: statusOf(edit),
    oldBlob: store(before, blobs),
    newBlob: store(after, blobs),
    mode,
    hunks: skipped ? [] : hunksOf(before, after),
    ...(skipped && { skipped }),
  };
}

function statusOf({ before, after, oldPath }: Edit): FileStatus {
  if (oldPath !== undefined) return "renamed";
  if (before === undefined) return "added";
  return after === undefined ? "deleted" : "modified";
}

function store(text: string | undefined, blobs: Map<string, string>): string {
  if (text === undefined) return "0".repeat(40);
  const id = createHash("sha1").update(text).digest("hex");
  blobs.set(id, text);
  return id;
}

const CONTEXT = 3;

function hunksOf(before = "", after = ""): Hunk[] {
  const lines = diff(split(before), split(after));
  const hunks: Hunk[] = [];
  let oldLine = 1;
  let newLine = 1;
  let hunk: Hunk | undefined;
  for (const [index, raw] of lines.entries()) {
    const near = lines.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some((line) => line[0] !== " ");
    if (!near) hunk = undefined;
    else if (!hunk) {
      hunk = { oldStart: oldLine, oldLines: 0, newStart: newLine, newLines: 0, lines: [] };
      hunks.push(hunk);
    }
    if (raw[0] !== "+") oldLine++;
    if (raw[0] !== "-") newLine++;
    if (!hunk) continue;
    hunk.lines.push(raw);
    if (raw[0] !== "+") hunk.oldLines++;
    if (raw[0] !== "-") hunk.newLines++;
  }
  return hunks;
}

function split(text: string): string[] {
  if (text === "") return [];
  return (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
}

/** The longest common subsequence, in the quadratic way that is fine for small texts. */
function diff(a: string[], b: string[]): string[] {
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i]![j] = a[i] === b[j] ? lengths[i + 1]![j + 1]! + 1 : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!);
  const out: string[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      out.push(` ${a[i++]}`);
      j++;
    } else if (i < a.length && (j === b.length || lengths[i + 1]![j]! >= lengths[i]![j + 1]!)) out.push(`-${a[i++]}`);
    else out.push(`+${b[j++]}`);
  }
  return out;
}
