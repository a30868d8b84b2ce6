/** A run of changed lines. Each line keeps its diff prefix: ` `, `+` or `-` (`\` marks a missing final newline). */
export interface Hunk {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  lines: string[];
}

export type FileStatus = "added" | "modified" | "deleted" | "renamed" | "copied" | "type-changed";

/** One file of a change, with its hunks, or the reason why it has none. */
export interface ChangedFile {
  path: string;
  /** The path before a rename or copy. */
  oldPath?: string;
  status: FileStatus;
  /** Git blob ids; all zeros where the side does not exist. */
  oldBlob: string;
  newBlob: string;
  mode: string;
  /** The mode before, where it was another one. */
  oldMode?: string;
  hunks: Hunk[];
  /** Why the content was not read: binary, too large, a submodule… */
  skipped?: string;
  /** Git shows no text of it, and we do: how that is written. */
  encoding?: string;
  /** It is an image, a font or media, by its name and by its content. */
  asset?: true;
  /** It only moved or changed its mode, and its bytes are neither text nor an asset: nobody has ever read them. */
  opaque?: true;
}

/** The two ends of a change. A verdict holds for exactly this pair. */
export interface ChangeBounds {
  /** Commit (or the empty tree) that the change starts from. */
  base: string;
  /** Commit, or tree for uncommitted work, that is judged. */
  head: string;
  headKind: "commit" | "tree";
}

/** Line ranges of one file, on the new side. */
export interface Region {
  file: string;
  /** Inclusive `[start, end]` pairs. */
  ranges: [number, number][];
}
