/** The answer cannot be taken; the message is safe to show. */
export class WebhookFailed extends Error {
  override readonly name = "WebhookFailed";
}

/** The text of an answer, read no further than the limit. */
export async function bodyOf(body: AsyncIterable<Uint8Array>, mostBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw new WebhookFailed(`answered with more than ${mostBytes / 1024 / 1024} MB`);
    chunks.push(chunk);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new WebhookFailed("answered with something that is not UTF-8 text");
  }
}
