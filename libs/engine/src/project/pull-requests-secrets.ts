import type { Blobs, Repo } from "@anneal/adapters/git";
import type { ChangedFile, TrackedFinding } from "@anneal/types";
import { formsOf, maskedText } from "./pull-requests-masked.ts";
import { ruledValues } from "./pull-requests-ruled.ts";
import type { Outgoing } from "./pull-requests-wording.ts";

/** What a search of commits comes to, place by place and without any value. */
export interface Searched {
  leaks: string[];
  /** Files that are too large to be searched. */
  unread: string[];
}

interface Found {
  file: string;
  line?: number;
  what: string;
  value: string;
}

/**
 * Secrets in what a push would publish, commit by commit: one that a later commit removes is published all the same, and
 * work that nobody has reviewed has no findings yet. What a person has ruled to be none is left out.
 */
export async function leaksIn(
  repo: Repo,
  { base, head, findings }: { base: string; head: string; findings: readonly TrackedFinding[] },
  signal: AbortSignal,
): Promise<Searched> {
  const ruled = await ruledValues(repo, findings);
  const searched: Searched = { leaks: [], unread: [] };
  const blobs = repo.blobs();
  try {
    for (const commit of await repo.commitsSince(base, head)) {
      const parent = await repo.resolve(`${commit}^`).catch(() => repo.emptyTree());
      const within = `in ${commit.slice(0, 12)}`;
      for await (const file of repo.changedFiles({ base: parent, head: commit, headKind: "commit" })) {
        signal.throwIfAborted();
        if (file.status === "deleted") continue;
        for (const { what } of await secretsIn(file.path, "path.txt"))
          searched.leaks.push(`${aThing(what)} is in the name of a file (${await maskedText(file.path)} ${within})`);
        const found = await secretsOf(file, blobs);
        if (found === null) searched.unread.push(`${await maskedText(file.path)} ${within}`);
        for (const { what, line, value } of found ?? []) {
          if (ruled.get(file.path)?.has(value) === true) continue;
          const place = `${await maskedText(file.path)}${line === undefined ? "" : `:${line}`}`;
          searched.leaks.push(`${aThing(what)} is in the code (${place} ${within})`);
        }
      }
    }
  } finally {
    blobs.close();
  }
  return searched;
}

/** What a file brings that was not there before; null where it is too large to be looked at. */
async function secretsOf(file: ChangedFile, blobs: Blobs): Promise<Found[] | null> {
  const { path, oldBlob, newBlob, skipped } = file;
  if (skipped === "submodule" || oldBlob === newBlob) return [];
  if (skipped === undefined) {
    const added = addedLines(file);
    const text = added.map((one) => one.text).join("\n");
    return (await secretsIn(text, path)).map(({ what, start, value }) => {
      const { line = 1 } = added[lineIndex(text, start)] ?? {};
      return { file: path, line, what, value };
    });
  }
  const [before, after] = [await blobs.bytes(oldBlob), await blobs.bytes(newBlob)];
  if (after === null) return null;
  const known = before === null ? [] : (await secretsIn(readable(before), path)).map(({ value }) => value);
  const found = await secretsIn(readable(after), path);
  return found.filter(({ value }) => !known.includes(value)).map(({ what, value }) => ({ file: path, what, value }));
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

function lineIndex(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length - 1;
}

async function secretsIn(text: string, path: string): Promise<{ start: number; what: string; value: string }[]> {
  const { scanSecrets, SECRET_HINT } = await import("@anneal/adapters/builtin/reviewer");
  const found = SECRET_HINT.test(text) ? await scanSecrets(text, path) : [];
  return found.map(({ start, end, what }) => ({ start, what, value: text.slice(start, end) }));
}

function aThing(what: string): string {
  return `${article(what) === "an" ? "An" : "A"} ${what}`;
}

function article(what: string): "a" | "an" {
  return /^[aeiou]/iu.test(what) ? "an" : "a";
}

/** Secrets in the messages of commits that a push would publish, by their places. */
export async function leaksInMessages(
  repo: Pick<Repo, "commitsSince" | "messageOf">,
  { base, head }: { base: string; head: string },
): Promise<string[]> {
  const commits = await repo.commitsSince(base, head);
  const texts = commits.map(async (commit) => {
    return { place: `the message of ${commit.slice(0, 12)}`, text: await repo.messageOf(commit) };
  });
  return await leaksInTexts(await Promise.all(texts));
}

/** Secrets in words that would leave the machine, by their places; also where marks of a forge's own language break them up. */
export async function leaksInTexts(texts: readonly Outgoing[]): Promise<string[]> {
  const leaks: string[] = [];
  for (const { place, text } of texts) {
    for (const form of formsOf(text)) {
      const found = await secretsIn(form, "text.md");
      leaks.push(...found.map(({ what }) => `${article(what)} ${what} is in ${place}`));
    }
  }
  return [...new Set(leaks)];
}
