import type { GitBlobs, Repo } from "@anneal/git";
import type { ChangedFile, LoopState } from "@anneal/types";
import { article, type FoundSecret, heldSecrets, type Leak } from "./held.ts";
import { formsOf, maskedText } from "./masked.ts";
import { ruledValues } from "./ruled.ts";
import { suspectCommits } from "./suspects.ts";

/** A text that would leave the machine, and where a person finds it. */
export interface Outgoing {
  place: string;
  text: string;
}

/** What a search of commits comes to, without any value. */
export interface Searched {
  leaks: Leak[];
  /** Files that are too large to be searched. */
  unread: string[];
}

/** What a search of commits found, values and all: it is kept nowhere. */
export interface Search {
  found: FoundSecret[];
  unread: string[];
}

type InFile = Omit<FoundSecret, "commit">;
type Range = Record<"base" | "head", string>;

/**
 * Secrets in what a push would publish, commit by commit: one that a later commit removes is published all the same, and
 * work that nobody has reviewed has no findings yet. What a person has ruled to be none is left out.
 */
export async function leaksIn(
  repo: Repo,
  { base, head, state }: Range & { state: Pick<LoopState, "findings" | "rounds" | "head"> },
  signal: AbortSignal,
): Promise<Searched> {
  const { found, unread } = await searchCommits(repo, { base, head }, signal);
  return { leaks: await leaksOf(repo, found, state), unread };
}

/** What of it no person has ruled on. */
export async function leaksOf(
  repo: Repo,
  found: readonly FoundSecret[],
  state: Pick<LoopState, "findings" | "rounds" | "head">,
): Promise<Leak[]> {
  return await heldSecrets(found, state.findings, await ruledValues(repo, state));
}

/** All that looks like a secret in the commits of a range. */
export async function searchCommits(repo: Repo, { base, head }: Range, signal: AbortSignal): Promise<Search> {
  const found: FoundSecret[] = [];
  const unread: string[] = [];
  const { commits, ...suspects } = await suspectCommits(repo, { base, head }, signal);
  const blobs = repo.blobs();
  try {
    for (const { id: commit, parent } of commits) {
      if (!suspects.files.has(commit)) continue;
      const before = parent ?? (await repo.emptyTree());
      const add = (secrets: readonly InFile[]) => found.push(...secrets.map((one) => ({ ...one, commit })));
      for await (const file of repo.changedFiles({ base: before, head: commit, headKind: "commit" })) {
        signal.throwIfAborted();
        if (file.status === "deleted") continue;
        add((await secretsIn(file.path, "path.txt")).map((one) => ({ ...one, part: "name", path: file.path })));
        const inside = await secretsOf(file, blobs);
        if (inside === null) unread.push(`${await maskedText(file.path)} in ${commit.slice(0, 12)}`);
        add(inside ?? []);
      }
    }
    // After all that is in files: a message is what most people look at last.
    for (const { id: commit, message, people } of commits) {
      if (!suspects.messages.has(commit)) continue;
      for (const one of await secretsInForms(people)) found.push({ ...one, commit, part: "people", path: "" });
      for (const one of await secretsInForms(message)) found.push({ ...one, commit, part: "message", path: "" });
    }
  } finally {
    blobs.close();
  }
  return { found, unread };
}

/** What a file brings that was not there before; null where it is too large to be looked at. */
async function secretsOf(file: ChangedFile, blobs: GitBlobs): Promise<InFile[] | null> {
  const { path, oldBlob, newBlob, skipped } = file;
  if (skipped === "submodule" || oldBlob === newBlob) return [];
  if (skipped === undefined) {
    const added = addedLines(file);
    const text = added.map((one) => one.text).join("\n");
    return (await secretsIn(text, path)).map((one) => {
      const before = text.slice(0, one.start).split("\n");
      const { line = 1 } = added[before.length - 1] ?? {};
      return { ...one, part: "content", path, line, start: before.at(-1)?.length ?? 0 };
    });
  }
  const [before, after] = [await blobs.bytes(oldBlob), await blobs.bytes(newBlob)];
  if (after === null) return null;
  const known = before === null ? [] : (await secretsIn(readable(before), path)).map(({ value }) => value);
  const found = await secretsIn(readable(after), path);
  return found.filter(({ value }) => !known.includes(value)).map((one) => ({ ...one, part: "content", path }));
}

/** What can be read in any bytes, whatever they are: NULs stand between the letters of UTF-16. */
function readable(bytes: Buffer): string {
  const text = bytes.toString("latin1").replaceAll("\0", "");
  return (text.match(/[\t\r\n -~]{8,}/gu) ?? []).join("\n");
}

function addedLines({ hunks }: ChangedFile): { line: number; text: string }[] {
  return hunks.flatMap(({ newStart, lines }) => {
    let line = Math.max(1, newStart);
    return lines.flatMap((raw) => {
      if (raw.startsWith("+")) return [{ line: line++, text: raw.slice(1).replace(/\r$/u, "") }];
      if (raw.startsWith(" ")) line += 1;
      return [];
    });
  });
}

async function secretsIn(text: string, path: string): Promise<{ start: number; what: string; value: string }[]> {
  const { scanSecrets, SECRET_HINT } = await import("@anneal/adapters/builtin/reviewer");
  const found = SECRET_HINT.test(text) ? await scanSecrets(text, path) : [];
  return found.map(({ start, end, what }) => ({ start, what, value: text.slice(start, end) }));
}

/** Also where marks of a forge's own language break them up. */
async function secretsInForms(text: string): Promise<{ start: number; form: number; what: string; value: string }[]> {
  const all = [...formsOf(text)].map(async (reading, form) =>
    (await secretsIn(reading, "text.md")).map((one) => ({ ...one, form })),
  );
  return (await Promise.all(all)).flat();
}

/** Secrets in texts that would leave the machine, by their locations. */
export async function leaksInTexts(texts: readonly Outgoing[]): Promise<string[]> {
  const leaks: string[] = [];
  for (const { place, text } of texts) {
    leaks.push(...(await secretsInForms(text)).map(({ what }) => `${article(what)} ${what} is in ${place}`));
  }
  return [...new Set(leaks)];
}
