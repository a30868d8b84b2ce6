import type { ChangedFile } from "@anneal/types";
import { exited, spawnDeafGit } from "../../run/run.ts";
import { isAsset, MAGIC_BYTES } from "../content/asset.ts";
import { oneHunk } from "../content/one-hunk.ts";
import { type ReadText, textOf } from "../content/text-of.ts";
import type { GitBlobs } from "./blobs.ts";
import { LONG_LINE } from "./changed-file.ts";
import { LINE_LIMIT } from "./diff-lines.ts";

export interface BlobSource {
  root: string;
  blobs: GitBlobs;
  limit: number;
}

/** A file of which git shows no text: its text all the same where its bytes hold some, else why not and what it is. */
export async function textless(file: ChangedFile, source: BlobSource): Promise<ChangedFile> {
  const { blobs, limit } = source;
  const sizes = await Promise.all([file.oldBlob, file.newBlob].map((blob) => blobs.size(blob)));
  if (sizes.some((size) => (size ?? 0) > limit)) {
    return { ...file, skipped: `larger than ${humanSize(limit)}`, ...(await assetMark(file, source)) };
  }
  const [before, after] = await Promise.all([file.oldBlob, file.newBlob].map((blob) => contentOf(blob, blobs)));
  const isBinary = [before, after].some((bytes) => bytes?.subarray(0, BINARY_PROBE).includes(0));
  if (!isBinary) return { ...file, skipped: "hidden by .git/info/attributes" };
  const asset = await assetMark(file, source);
  const shown = asset.asset === true || file.status === "type-changed" ? null : asText(file, before, after);
  return shown ?? { ...file, skipped: "binary", ...asset };
}

const ABSENT = /^0+$/;

async function contentOf(blob: string, blobs: GitBlobs): Promise<Buffer | null> {
  return ABSENT.test(blob) ? Buffer.alloc(0) : await blobs.bytes(blob);
}

function asText(file: ChangedFile, before: Buffer | null | undefined, after: Buffer | null | undefined) {
  const [old, now] = [readIn(before), readIn(after)];
  if (old === null || now === null) return null;
  const hunk = oneHunk(old.text, now.text);
  if (hunk === null) return null;
  const encoding = (file.status === "deleted" ? old : now).encoding ?? old.encoding ?? "UTF-8";
  const skipped = hunk.lines.some((line) => line.length > LINE_LIMIT) ? { skipped: LONG_LINE } : {};
  return { ...file, hunks: [hunk], encoding, ...skipped };
}

function readIn(bytes: Buffer | null | undefined): ReadText | null {
  return bytes === null || bytes === undefined ? null : textOf(bytes);
}

/** What can be run is code, whatever it begins with. */
const PLAIN = "100644";

async function assetMark(file: ChangedFile, source: BlobSource): Promise<Pick<ChangedFile, "asset">> {
  const { path, newBlob, mode } = file;
  if (ABSENT.test(newBlob) || mode !== PLAIN) return {};
  const [start, size] = [await startOf(newBlob, source), await source.blobs.size(newBlob)];
  return start !== null && size !== null && isAsset(path, { start, size }) ? { asset: true } : {};
}

/** A file that only moved or changed its mode: whether its bytes could never be read, and are no asset under the name that it has now. */
export async function unchanged(file: ChangedFile, source: BlobSource): Promise<ChangedFile> {
  const { blobs, limit } = source;
  const isLarge = ((await blobs.size(file.newBlob)) ?? 0) > limit;
  const bytes = isLarge ? null : await blobs.bytes(file.newBlob);
  if (bytes !== null && textOf(bytes) !== null) return file;
  const { asset } = await assetMark(file, source);
  return asset === true ? file : { ...file, opaque: true };
}

/** The first bytes, also of a blob that is too large to be read. */
async function startOf(blob: string, { root, blobs }: BlobSource): Promise<Buffer | null> {
  const whole = await blobs.bytes(blob);
  if (whole !== null) return whole.subarray(0, MAGIC_BYTES);
  const child = spawnDeafGit({ cwd: root, args: ["cat-file", "blob", blob] });
  const ended = exited(child, root);
  // It is stopped as soon as it has said enough, which is no failure.
  ended.catch(() => {});
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of child.stdout) {
      chunks.push(chunk);
      if (chunks.reduce((sum, one) => sum + one.length, 0) >= MAGIC_BYTES) break;
    }
    return Buffer.concat(chunks).subarray(0, MAGIC_BYTES);
  } finally {
    child.kill();
  }
}

/** Git calls a file binary when it finds a NUL in this many bytes from its start. */
const BINARY_PROBE = 8000;

function humanSize(bytes: number): string {
  const [amount, unit] = bytes >= 1024 * 1024 ? [bytes / (1024 * 1024), "MB"] : [bytes / 1024, "KB"];
  return `${Number(amount.toFixed(1))} ${unit}`;
}
