import type { ChangedFile } from "@anneal/types";
import type { Change } from "../../../ports.ts";
import { type CodeText, codeText } from "../lex/code-text.ts";
import { type FileKind, fileKind } from "../lex/file-kind.ts";

export interface AddedLine {
  line: number;
  text: string;
}

interface RemovedLine {
  oldLine: number;
  /** Where the line was, seen from the new side. */
  line: number;
  text: string;
}

/** One changed file as the rules see it: its changed lines at once, its content only when asked for. */
export interface SourceFile {
  path: string;
  kind: FileKind;
  file: ChangedFile;
  added: AddedLine[];
  removed: RemovedLine[];
  /** All added lines joined, to look for a hint in one go. */
  addedText: string;
  /** The whole new text, or null where it cannot be read. */
  text(): Promise<string | null>;
  oldText(): Promise<string | null>;
  /** The new text with its code told apart; where it cannot be read, as much as the hunks show, on the right lines. */
  code(): Promise<CodeText>;
  /** The added line of that number, if it is one. */
  addedAt(line: number): string | undefined;
}

export function sourceOf(file: ChangedFile, change: Change): SourceFile {
  const kind = fileKind(file.path);
  const { added, removed } = changedLines(file);
  const byLine = new Map(added.map(({ line, text }) => [line, text]));
  const text = once(async () => {
    if (file.status === "deleted" || ABSENT.test(file.newBlob)) return null;
    // The hunk of a new file is its whole text: no need to ask git again.
    if (file.status === "added" && !file.skipped) return added.map((line) => line.text).join("\n");
    return change.content(file.newBlob);
  });
  return {
    path: file.path,
    kind,
    file,
    added,
    removed,
    addedText: added.map((line) => line.text).join("\n"),
    text,
    oldText: once(async () => (ABSENT.test(file.oldBlob) ? null : change.content(file.oldBlob))),
    code: once(async () => codeText((await text()) ?? sparse(file), kind.language)),
    addedAt: (line) => byLine.get(line),
  };
}

const ABSENT = /^0*$/;

function changedLines(file: ChangedFile): { added: AddedLine[]; removed: RemovedLine[] } {
  const added: AddedLine[] = [];
  const removed: RemovedLine[] = [];
  for (const hunk of file.hunks) {
    let line = Math.max(1, hunk.newStart);
    let oldLine = Math.max(1, hunk.oldStart);
    for (const raw of hunk.lines) {
      const text = raw.endsWith("\r") ? raw.slice(1, -1) : raw.slice(1);
      const mark = raw[0];
      if (mark === "+") added.push({ line: line++, text });
      else if (mark === "-") removed.push({ oldLine: oldLine++, line, text });
      else if (mark !== "\\") {
        line++;
        oldLine++;
      }
    }
  }
  return { added, removed };
}

function sparse(file: ChangedFile): string {
  const lines: string[] = [];
  for (const hunk of file.hunks) {
    while (lines.length < hunk.newStart - 1) lines.push("");
    for (const raw of hunk.lines) if (raw[0] === "+" || raw[0] === " ") lines.push(raw.slice(1));
  }
  return lines.join("\n");
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
