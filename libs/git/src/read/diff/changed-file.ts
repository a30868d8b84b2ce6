import type { ChangedFile, Hunk } from "@anneal/types";
import { GitError } from "../../run/errors.ts";
import { isStrange } from "../content/text-of.ts";
import type { RawEntry } from "./raw.ts";

/** A file as the patch shows it. `textless`: git printed no text for it, because of its bytes, size or attributes. */
export interface ParsedFile {
  file: ChangedFile;
  content: "text" | "textless";
}

/** A file whose patch is being read. */
export interface OpenFile {
  entry: RawEntry;
  hunks: Hunk[];
  sections: number;
  content: ParsedFile["content"];
  longLine: "cut" | "none";
  /** Of lines that are not UTF-8: how many letters they have, beyond ASCII and in all. */
  letters: { high: number; all: number };
}

const SUBMODULE = "160000";
export const LONG_LINE = "line longer than 1 MB";
export const UNKNOWN_ENCODING = "in an encoding that is not known";

/** The finished file, with the reason why it holds no text where it holds none. */
export function changedFile(open: OpenFile): ChangedFile {
  const { entry, hunks, longLine } = open;
  const { path, oldPath, status, oldBlob, newBlob, oldMode, newMode } = entry;
  const mode = status === "deleted" ? oldMode : newMode;
  const skipped = longLine === "cut" ? LONG_LINE : whyEmpty(open);
  const submodule = oldMode === SUBMODULE || newMode === SUBMODULE;
  const file: ChangedFile = {
    path,
    status,
    oldBlob,
    newBlob,
    mode,
    hunks: submodule && status !== "type-changed" ? [] : whole(entry, hunks),
  };
  if (oldPath !== undefined) file.oldPath = oldPath;
  if (oldMode !== newMode && status !== "added" && status !== "deleted") file.oldMode = oldMode;
  if (skipped !== undefined) file.skipped = skipped;
  return file;
}

function whyEmpty({ entry, hunks, content, letters }: OpenFile): string | undefined {
  const { status, oldMode, newMode, oldBlob, newBlob, path } = entry;
  if (oldMode === SUBMODULE || newMode === SUBMODULE) return "submodule";
  if (content === "textless") return "binary";
  if (hunks.length > 0) return isStrange(letters) ? UNKNOWN_ENCODING : undefined;
  if (status === "added" && EMPTY_BLOBS.has(newBlob)) return "empty file";
  if (status === "deleted" && EMPTY_BLOBS.has(oldBlob)) return "empty file";
  if (oldBlob !== newBlob) throw broken(`the lines of ${path} are missing`);
  if (status === "renamed") return "renamed only";
  return status === "copied" ? "copied only" : "mode change only";
}

/** The id of a blob without bytes, in either hash. */
const EMPTY_BLOBS = new Set([
  "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
  "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
]);

/** The removal and the addition of a changed type, as the one hunk that turns the old content into the new. */
function whole({ status }: RawEntry, hunks: Hunk[]): Hunk[] {
  const [removal, addition] = hunks;
  if (status !== "type-changed" || !removal || !addition) return hunks;
  return [
    {
      oldStart: removal.oldStart,
      oldLines: removal.oldLines,
      newStart: addition.newStart,
      newLines: addition.newLines,
      lines: [...removal.lines, ...addition.lines],
    },
  ];
}

export function broken(how: string): GitError {
  return new GitError("failed", `the output of git diff is damaged: ${how}`);
}
