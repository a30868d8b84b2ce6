import { mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { failpoint } from "@anneal/system/failpoint";
import { writeAtomic } from "@anneal/system/files/atomic";
import { systemCode } from "@anneal/system/files/errors";
import { serialised } from "../../run/queue.ts";
import type { RepoLocation } from "../../run/repo-location.ts";

/** Hides paths from git in all work trees of this repository, on this machine only. Patterns are those of .gitignore. */
export function exclude({ commonDir }: RepoLocation, patterns: string[]): Promise<void> {
  return serialised(commonDir, async () => {
    const path = join(commonDir, "info/exclude");
    // Latin-1 carries every byte through unchanged, whatever the encoding of the lines that are not ours.
    const text = await readFile(path, "latin1").catch(emptyIfMissing);
    const lines = text.split(/\r?\n/);
    const missing = patterns.map(asBytes).filter((pattern) => !lines.includes(pattern));
    if (missing.length === 0) return;
    await mkdir(dirname(path), { recursive: true });
    failpoint("git.exclude.before");
    const extended = `${text === "" || text.endsWith("\n") ? text : `${text}\n`}${missing.join("\n")}\n`;
    await writeAtomic(path, Buffer.from(extended, "latin1"));
    failpoint("git.exclude.after");
  });
}

/** A pattern that means exactly this path from the top of the work tree. */
export function exactPattern(path: string): string {
  return `/${path.replace(/[\\*?[\]!# ]/g, "\\$&")}`;
}

function asBytes(pattern: string): string {
  return Buffer.from(pattern, "utf8").toString("latin1");
}

function emptyIfMissing(error: unknown): string {
  if (systemCode(error) === "ENOENT") return "";
  throw error;
}
