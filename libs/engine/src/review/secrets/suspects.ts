import type { HistoricCommit, Repo } from "@anneal/git";
import { formsOf } from "./masked.ts";

/** So much text is searched at once: a call of the scanner costs more than what it reads. */
const BATCH_CHARS = 512 * 1024;
/** Nothing that is looked for goes on over it. */
const BETWEEN = "\n#\n";
/** Names that tell the scanner what to look for. */
const TELLING = /\.(?:npmrc|json|p12)"?$/iu;

/** The commits of a range, oldest first, and which of them are worth a look of their own: at their files, and at their messages and people. */
export async function suspectCommits(
  repo: Repo,
  { base, head }: Record<"base" | "head", string>,
  signal: AbortSignal,
): Promise<{ commits: HistoricCommit[]; files: Set<string>; messages: Set<string> }> {
  const commits: HistoricCommit[] = [];
  const [files, messages] = [new Batch(), new Batch()];
  for await (const { commit, file } of repo.historyLines(base, head)) {
    signal.throwIfAborted();
    if (file === null) {
      commits.push(commit);
      for (const form of formsOf(`${commit.message}\n${commit.people}`)) await messages.add(commit.id, form);
    } else if (!files.found.has(commit.id)) {
      const { path, added, isHidden } = file;
      // A name that git quotes cannot be searched as it is printed.
      if (isHidden || path.includes('"')) files.found.add(commit.id);
      await files.add(commit.id, path);
      await files.add(commit.id, added, path);
    }
  }
  await Promise.all([files.end(), messages.end()]);
  return { commits, files: files.found, messages: messages.found };
}

/** Texts of commits that are searched together, and the commits in whose texts something was found. */
class Batch {
  readonly found = new Set<string>();
  #texts: { commit: string; text: string }[] = [];
  #chars = 0;

  async add(commit: string, text: string, path = ""): Promise<void> {
    const { SECRET_HINT, scanSecrets } = await import("@anneal/adapters/builtin/reviewer");
    if (!SECRET_HINT.test(text)) return;
    if (TELLING.test(path)) {
      if ((await scanSecrets(text, path)).length > 0) this.found.add(commit);
      return;
    }
    this.#texts.push({ commit, text });
    this.#chars += text.length;
    if (this.#chars > BATCH_CHARS) await this.end();
  }

  async end(): Promise<void> {
    const texts = this.#texts;
    this.#texts = [];
    this.#chars = 0;
    if (texts.length === 0) return;
    const { scanSecrets } = await import("@anneal/adapters/builtin/reviewer");
    const secrets = await scanSecrets(texts.map(({ text }) => text).join(BETWEEN), "text.md");
    let from = 0;
    for (const { commit, text } of texts) {
      const to = from + text.length + BETWEEN.length;
      if (secrets.some(({ start, end }) => start < to && end > from)) this.found.add(commit);
      from = to;
    }
  }
}
