import type { FileStatus } from "@anneal/types";
import { GitError } from "../../run/errors.ts";

/** One line of git's raw diff: which file changed and how, before any content. */
export interface RawEntry {
  path: string;
  oldPath?: string;
  status: FileStatus;
  oldMode: string;
  newMode: string;
  oldBlob: string;
  newBlob: string;
}

/** The mode of a path that one side does not have. */
export const ABSENT = "000000";
/** The mode of a submodule. */
export const GITLINK = "160000";

const STATUS: Record<string, FileStatus> = {
  A: "added",
  M: "modified",
  D: "deleted",
  R: "renamed",
  C: "copied",
  T: "type-changed",
};

/** Reads the NUL-separated fields of `--raw -z` one by one; names need no unquoting in this form. */
export class RawReader {
  readonly entries: RawEntry[] = [];
  #fields: string[] | null = null;
  #oldPath: string | null = null;

  /** Whether an entry has begun whose names have not all come yet. */
  get unfinished(): boolean {
    return this.#fields !== null;
  }

  /** Takes the next field. An empty one where an entry could start ends the raw part. */
  field(text: string): "more" | "end" {
    if (this.#fields === null) {
      if (text === "") return "end";
      this.#fields = text.split(" ");
      return "more";
    }
    const [oldMode, newMode, oldBlob, newBlob, letters] = this.#fields;
    const status = STATUS[letters?.[0] ?? ""];
    if (!oldMode?.startsWith(":") || !newMode || !oldBlob || !newBlob || !status) {
      throw new GitError("failed", `git diff printed an unknown entry: ${this.#fields.join(" ")}`);
    }
    const twoNames = status === "renamed" || status === "copied";
    if (twoNames && this.#oldPath === null) {
      this.#oldPath = text;
      return "more";
    }
    const entry = { path: text, status, oldMode: oldMode.slice(1), newMode, oldBlob, newBlob };
    this.entries.push(this.#oldPath === null ? entry : { ...entry, oldPath: this.#oldPath });
    this.#fields = null;
    this.#oldPath = null;
    return "more";
  }
}

/** Reads a whole raw diff that was printed with `-z`. */
export function readRaw(output: Buffer): RawEntry[] {
  const reader = new RawReader();
  const text = output.toString("utf8");
  for (const field of text.split("\0").slice(0, -1)) reader.field(field);
  return reader.entries;
}
