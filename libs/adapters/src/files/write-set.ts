import { readFileSync, type Stats } from "node:fs";
import { lstat, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Staged, stageInPlaceOf, sweepTemporaries, syncFolder } from "@anneal/system/files/atomic";
import { systemCode } from "@anneal/system/files/errors";
import { realTarget } from "@anneal/system/files/jail";

/** Several files of one folder that lie safely next to their targets, ready to take their places. */
export interface StagedSet {
  /** One after the other, in the order in which they were given. Does its work once. */
  replace(): void;
  /** Makes what was replaced survive a power cut; one folder may be safe already. */
  sync(safe: string | null): Promise<void>;
}

/** Stages texts by file name, all at once; a file that holds its text already is left alone. Links may not lead out of the folder. */
export async function stageSet(folder: string, texts: ReadonlyMap<string, string>): Promise<StagedSet> {
  const real = await realpath(folder);
  await sweepTemporaries(real);
  const results = await Promise.allSettled([...texts].map(([name, text]) => stageOne(folder, real, name, text)));
  const staged = results.flatMap((one) => (one.status === "fulfilled" && one.value !== null ? [one.value] : []));
  const failed = results.find((one) => one.status === "rejected");
  if (failed !== undefined) {
    for (const one of staged) one.discard();
    throw failed.reason;
  }
  let state: "waiting" | "replaced" = "waiting";
  return {
    replace() {
      if (state === "replaced") return;
      state = "replaced";
      for (const one of staged) one.replace();
    },
    async sync(safe) {
      const folders = new Set([real, ...staged.map(({ target }) => dirname(target))]);
      for (const one of folders) if (one !== safe) syncFolder(one);
    },
  };
}

async function stageOne(folder: string, real: string, name: string, text: string): Promise<Staged | null> {
  const candidate = join(real, name);
  const found = await lookAt(candidate);
  const isLink = found?.isSymbolicLink() === true;
  const target = isLink ? realTarget(join(folder, name), folder) : candidate;
  const old = isLink ? await lookAt(target) : found;
  return holds(target, old, text) ? null : await stageInPlaceOf(old, target, text);
}

function lookAt(path: string): Promise<Stats | null> {
  return lstat(path).catch((error: unknown) => {
    if (systemCode(error) === "ENOENT") return null;
    throw error;
  });
}

function holds(target: string, found: Stats | null, text: string): boolean {
  if (found === null || !found.isFile() || found.size !== Buffer.byteLength(text)) return false;
  return readFileSync(target, "utf8") === text;
}
