import type { IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { gunzipSync, zstdDecompressSync } from "node:zlib";

/** The parsed body; the text itself where it is no JSON. */
export async function readBody(request: IncomingMessage): Promise<unknown> {
  const text = decoded(await buffer(request), request.headers["content-encoding"]).toString("utf8");
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function decoded(bytes: Buffer, encoding: string | undefined): Buffer {
  if (encoding === "gzip") return gunzipSync(bytes);
  return encoding === "zstd" ? zstdDecompressSync(bytes) : bytes;
}
