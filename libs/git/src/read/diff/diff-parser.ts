import type { Hunk } from "@anneal/types";
import { linesOf } from "../content/text-of.ts";
import { broken, changedFile, type OpenFile, type ParsedFile } from "./changed-file.ts";
import { hunkHeader, isFileHeader, LINE_LIMIT, startsWith } from "./diff-lines.ts";
import { RawReader } from "./raw.ts";

const NEWLINE = 10;
const PLUS = 43;
const MINUS = 45;
const SPACE = 32;
const AT = 64;
const BACKSLASH = 92;

/**
 * Reads `git diff-tree --raw -p -z` chunk by chunk. Names come from the raw part and patches follow in the same order;
 * inside a hunk the counts of its header alone say where it ends, so that no content can pass for a header.
 */
export class DiffParser {
  readonly #raw = new RawReader();
  #part: "raw" | "patch" = "raw";
  #next = 0;
  #open: OpenFile | null = null;
  #hunk: Hunk | null = null;
  #oldLeft = 0;
  #newLeft = 0;
  #carry: Buffer[] = [];
  #carried = 0;
  #done: ParsedFile[] = [];

  /** Takes the next bytes and gives the files that they complete. */
  push(chunk: Buffer): ParsedFile[] {
    let rest = chunk;
    if (this.#carried > 0) {
      const end = chunk.indexOf(this.#part === "raw" ? 0 : NEWLINE);
      this.#keep(end < 0 ? chunk : chunk.subarray(0, end));
      if (end < 0) return this.#take();
      const line = Buffer.concat([...this.#carry, chunk.subarray(end, end + 1)]);
      this.#carry = [];
      this.#carried = 0;
      this.#consume(line);
      rest = chunk.subarray(end + 1);
    }
    const used = this.#consume(rest);
    if (used < rest.length) this.#keep(rest.subarray(used));
    return this.#take();
  }

  /** Says that the output is over and gives the last file; output that stops in the middle is an error. */
  end(): ParsedFile[] {
    this.#close();
    const complete = this.#carried === 0 && !this.#raw.unfinished && this.#oldLeft === 0 && this.#newLeft === 0;
    if (!complete || this.#next !== this.#raw.entries.length) throw broken("it is cut off");
    return this.#take();
  }

  #consume(bytes: Buffer): number {
    let at = 0;
    while (at < bytes.length) {
      const next = this.#part === "raw" ? this.#field(bytes, at) : this.#patch(bytes, at);
      if (next === at) break;
      at = next;
    }
    return at;
  }

  #field(bytes: Buffer, at: number): number {
    const end = bytes.indexOf(0, at);
    if (end < 0) return at;
    if (this.#raw.field(bytes.toString("utf8", at, end)) === "end") this.#part = "patch";
    return end + 1;
  }

  #patch(bytes: Buffer, at: number): number {
    if (this.#hunk !== null && (this.#oldLeft > 0 || this.#newLeft > 0)) return this.#body(bytes, at, this.#hunk);
    const end = bytes.indexOf(NEWLINE, at);
    if (end < 0) return at;
    if (bytes[at] === BACKSLASH) this.#hunk?.lines.push(bytes.toString("utf8", at, end));
    else if (bytes[at] === AT) this.#startHunk(bytes.toString("latin1", at, end));
    else if (isFileHeader(bytes, at)) this.#startSection();
    else if (startsWith(bytes, at, "index ")) this.#verify(bytes.toString("latin1", at + 6, end));
    else if (startsWith(bytes, at, "Binary files ") && this.#open) this.#open.content = "textless";
    return end + 1;
  }

  /** Takes as many whole lines of the hunk as are there and decodes them at once. */
  #body(bytes: Buffer, start: number, hunk: Hunk): number {
    let at = start;
    let runStart = start;
    let oldLeft = this.#oldLeft;
    let newLeft = this.#newLeft;
    while (oldLeft > 0 || newLeft > 0) {
      const end = bytes.indexOf(NEWLINE, at);
      if (end < 0) break;
      const prefix = bytes[at];
      if (prefix === SPACE) {
        oldLeft--;
        newLeft--;
      } else if (prefix === PLUS) newLeft--;
      else if (prefix === MINUS) oldLeft--;
      else if (prefix !== BACKSLASH) throw broken("a hunk holds a line without a prefix");
      if (end - at > LINE_LIMIT) {
        this.#addLines(hunk, bytes, runStart, at);
        hunk.lines.push(bytes.toString("utf8", at, at + LINE_LIMIT));
        if (this.#open) this.#open.longLine = "cut";
        runStart = end + 1;
      }
      at = end + 1;
    }
    if (oldLeft < 0 || newLeft < 0) throw broken("a hunk is longer than its header says");
    this.#addLines(hunk, bytes, runStart, at);
    this.#oldLeft = oldLeft;
    this.#newLeft = newLeft;
    return at;
  }

  #addLines(hunk: Hunk, bytes: Buffer, start: number, end: number): void {
    if (end === start) return;
    const { text, high, all } = linesOf(bytes.subarray(start, end - 1));
    if (all > 0 && this.#open !== null) {
      const { letters } = this.#open;
      this.#open.letters = { high: letters.high + high, all: letters.all + all };
    }
    const lines = text.split("\n");
    if (hunk.lines.length === 0) hunk.lines = lines;
    else for (const line of lines) hunk.lines.push(line);
  }

  #startSection(): void {
    const open = this.#open;
    // A change of type (file to symlink) is printed as a removal and an addition, each with a header of its own.
    if (open?.entry.status === "type-changed" && open.sections === 1) {
      open.sections = 2;
      this.#hunk = null;
      return;
    }
    this.#close();
    const entry = this.#raw.entries[this.#next++];
    if (!entry) throw broken("it holds more patches than files");
    this.#open = { entry, hunks: [], sections: 1, content: "text", longLine: "none", letters: { high: 0, all: 0 } };
  }

  #startHunk(line: string): void {
    const hunk = hunkHeader(line);
    if (!hunk || !this.#open) throw broken("it has an invalid hunk header");
    this.#open.hunks.push(hunk);
    this.#hunk = hunk;
    this.#oldLeft = hunk.oldLines;
    this.#newLeft = hunk.newLines;
  }

  /** Checks that this patch belongs to the file that it is paired with. */
  #verify(line: string): void {
    const open = this.#open;
    if (!open) throw broken("a patch comes before its file");
    const { oldBlob, newBlob, status } = open.entry;
    const [, before, after] = /^([0-9a-f]{4,})\.\.([0-9a-f]{4,})/.exec(line) ?? [];
    const isOf = (blob: string, id: string | undefined) => id !== undefined && blob.startsWith(id);
    const typeChanged = status === "type-changed";
    const right =
      (isOf(oldBlob, before) || (typeChanged && open.sections === 2)) &&
      (isOf(newBlob, after) || (typeChanged && open.sections === 1));
    if (!right) throw broken(`the patch for ${open.entry.path} belongs to another file`);
  }

  #close(): void {
    const open = this.#open;
    this.#open = null;
    this.#hunk = null;
    if (open) this.#done.push({ file: changedFile(open), content: open.content });
  }

  #keep(bytes: Buffer): void {
    // Bytes past the limit would be cut anyway, so they are not even stored.
    const room = LINE_LIMIT + 1 - this.#carried;
    if (room > 0) this.#carry.push(bytes.subarray(0, room));
    this.#carried += bytes.length;
  }

  #take(): ParsedFile[] {
    const done = this.#done;
    if (done.length > 0) this.#done = [];
    return done;
  }
}
