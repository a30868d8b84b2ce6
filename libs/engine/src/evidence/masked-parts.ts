import { coveredCredentials } from "@anneal/adapters/credentials";

const PART_BYTES = 256 * 1024;

/**
 * A range of something long, in parts, with our secrets covered. Stars take the place of each byte, so that positions stay,
 * and a secret that begins in one part and ends in the next is seen by both.
 */
export function* maskedParts(
  source: { size: number; read(offset: number, length: number): Buffer },
  { offset, length }: { offset: number; length: number },
  secrets: readonly string[],
): Generator<Buffer> {
  const { longest, cover } = coveredCredentials(secrets);
  const end = Math.min(offset + length, source.size);
  for (let at = offset; at < end; at += PART_BYTES) {
    const wanted = Math.min(PART_BYTES, end - at);
    const from = Math.max(0, at - longest);
    const seen = cover(Buffer.from(source.read(from, at - from + wanted + longest)));
    yield seen.subarray(at - from, at - from + wanted);
  }
}
