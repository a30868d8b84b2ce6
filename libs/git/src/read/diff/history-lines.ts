import { StringDecoder } from "node:string_decoder";
import type { RepoLocation } from "../../run/repo-location.ts";
import { exited, failure, spawnDeafGit } from "../../run/run.ts";
import { BLOB_LIMIT } from "./blobs.ts";
import { diffGuards, diffTerms } from "./diff.ts";
import { hunkHeader } from "./diff-lines.ts";

export interface HistoricCommit {
  id: string;
  /** The first one; null where it has none. */
  parent: string | null;
  message: string;
  /** Names and addresses of author and committer. */
  people: string;
}

/** What one commit adds to one file. */
export interface HistoricFile {
  /** As git prints it: quoted where it holds something odd. */
  path: string;
  added: string;
  /** Git shows no lines of it: it is binary, too large, or hidden by an attribute. */
  isHidden: boolean;
}

/** A commit, and then each of its files. */
export type HistoricPart = { commit: HistoricCommit; file: HistoricFile | null };

/** A space before each line of a message tells it from the lines of git. */
const FORMAT = "--format=commit %H %P%npeople %an <%ae>%npeople %cn <%ce>%n%w(0,1,1)%B";

/**
 * The commits of `head` that `base` does not have, oldest first, with the lines that they add, from one git process. Merges are shown
 * against their first parent.
 */
export async function* historyLines(location: RepoLocation, base: string, head: string): AsyncGenerator<HistoricPart> {
  const guards = diffGuards(location, BLOB_LIMIT);
  const order = ["--no-show-signature", "--no-notes", "--reverse", "--topo-order"];
  const range = [...order, "--end-of-options", head, `^${base}`];
  const log = ["log", FORMAT, "--root", "--diff-merges=first-parent", "-p", "-U0", ...diffTerms()];
  const call = { ...guards, args: [...guards.args, ...log, ...range] };
  const child = spawnDeafGit(call);
  const ended = exited(child, call.cwd);
  // Awaited at the end; an early failure must not count as unhandled until then.
  ended.catch(() => {});
  const reader = new LogReader();
  const decoder = new StringDecoder("utf8");
  let rest = "";
  try {
    for await (const chunk of child.stdout) {
      const lines = (rest + decoder.write(chunk)).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) yield* reader.line(line);
    }
    const result = await ended;
    if (result.code !== 0) throw failure(call, result);
    yield* reader.line(rest + decoder.end());
    yield* reader.end();
  } finally {
    child.kill();
  }
}

/** Inside a hunk the counts of its header alone say where it ends, so that no content can pass for a header. */
class LogReader {
  #commit: { id: string; parent: string | null; lines: string[]; people: string[] } | null = null;
  #made: HistoricCommit | null = null;
  #file: { path: string; added: string[]; isHidden: boolean } | null = null;
  #left = { removed: 0, added: 0 };

  *line(line: string): Generator<HistoricPart> {
    const { removed, added } = this.#left;
    if (removed > 0 && line.startsWith("-")) this.#left.removed -= 1;
    else if (added > 0 && line.startsWith("+")) {
      this.#left.added -= 1;
      this.#file?.added.push(line.slice(1).replace(/\r$/u, ""));
    } else if (line.startsWith("@@ ")) {
      const hunk = hunkHeader(line);
      if (hunk !== null) this.#left = { removed: hunk.oldLines, added: hunk.newLines };
    } else if (line.startsWith("diff --git ")) {
      yield* this.end();
      this.#file = { path: line.slice("diff --git ".length), added: [], isHidden: false };
    } else if (line.startsWith("commit ")) {
      yield* this.end();
      const [, id = "", parent] = line.split(" ");
      this.#commit = { id, parent: parent || null, lines: [], people: [] };
    } else if (line.startsWith("people ")) this.#commit?.people.push(line.slice("people ".length));
    else if (line.startsWith("Binary files ") && this.#file !== null) this.#file.isHidden = true;
    else if (line.startsWith(" ")) this.#commit?.lines.push(line.slice(1));
  }

  *end(): Generator<HistoricPart> {
    if (this.#commit !== null) {
      const { id, parent, lines, people } = this.#commit;
      this.#made = { id, parent, message: lines.join("\n"), people: people.join("\n") };
      this.#commit = null;
      yield { commit: this.#made, file: null };
    }
    if (this.#file !== null && this.#made !== null)
      yield { commit: this.#made, file: { ...this.#file, added: this.#file.added.join("\n") } };
    this.#file = null;
    this.#left = { removed: 0, added: 0 };
  }
}
