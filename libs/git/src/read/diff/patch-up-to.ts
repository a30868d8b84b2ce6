import type { ChangeBounds } from "@anneal/types";
import type { RepoLocation } from "../../run/repo-location.ts";
import { exited, failure, spawnDeafGit } from "../../run/run.ts";
import { BLOB_LIMIT } from "./blobs.ts";
import { diffCall } from "./diff.ts";

export interface PatchRequest {
  /** What comes after this many bytes is left out, by whole files where that leaves any. */
  maxBytes: number;
  /** Only these; every path is taken as it is written, never as a pattern. */
  paths?: readonly string[];
}

export interface LimitedPatch {
  text: Buffer;
  truncated: boolean;
}

/** What differs between two commits, as git prints it, up to a size: git is stopped there, whatever is left. */
export async function patchUpTo(
  location: RepoLocation,
  bounds: Pick<ChangeBounds, "base" | "head">,
  { maxBytes, paths = [] }: PatchRequest,
): Promise<LimitedPatch> {
  const whole = diffCall(location, bounds, ["-p", "-U3"], BLOB_LIMIT);
  const env = { ...whole.env, GIT_LITERAL_PATHSPECS: "1" };
  const call = paths.length === 0 ? whole : { ...whole, env, args: [...whole.args, "--", ...paths] };
  const child = spawnDeafGit(call);
  const ended = exited(child, call.cwd);
  // Awaited at the end; an early failure must not count as unhandled until then.
  ended.catch(() => {});
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of child.stdout) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > maxBytes) return { text: cut(Buffer.concat(chunks).subarray(0, maxBytes)), truncated: true };
    }
    const result = await ended;
    if (result.code !== 0) throw failure(call, result);
    return { text: Buffer.concat(chunks), truncated: false };
  } finally {
    child.kill();
  }
}

const NEXT_FILE = "\ndiff --git ";

/** At the last file that is whole, else at the last line. */
function cut(text: Buffer): Buffer {
  const file = text.lastIndexOf(NEXT_FILE);
  const at = file < 0 ? text.lastIndexOf("\n") : file;
  return text.subarray(0, at + 1);
}
