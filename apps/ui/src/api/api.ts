import { ApiProblem, type CallOptions, transport } from "@anneal/client/browser";
import { whyNot } from "./connection.ts";

export { ApiProblem } from "@anneal/client/browser";

/** Every request of the page; the session cookie goes along by itself. */
export const send = transport();

export interface Tagged<T> {
  etag: string;
  body: T;
}

export const api = {
  async get<T>(path: string, options: CallOptions = {}): Promise<T> {
    return (await send("GET", path, options)).json();
  },
  async getTagged<T>(path: string, options: CallOptions = {}): Promise<Tagged<T>> {
    const response = await send("GET", path, options);
    return { etag: response.headers.get("etag") ?? "", body: await response.json() };
  },
  async getText(path: string, options: CallOptions = {}): Promise<string> {
    return (await send("GET", path, options)).text();
  },
  /** The bytes from a place on, and their text; nothing where there is no more yet. A letter that is cut stays for the next time. */
  async getFrom(path: string, offset: number, signal: AbortSignal): Promise<{ bytes: Uint8Array; more: string }> {
    // From the last byte that is known: past the end there would be nothing, which is an error.
    const headers = offset === 0 ? {} : { range: `bytes=${offset - 1}-` };
    const response = await send("GET", path, { signal, headers });
    const all = new Uint8Array(await response.arrayBuffer());
    const bytes = wholeLetters(offset === 0 ? all : all.subarray(1));
    return { bytes, more: new TextDecoder().decode(bytes) };
  },
  /** The first bytes of a text. */
  async getFirst(path: string, count: number, signal: AbortSignal): Promise<string> {
    const response = await send("GET", path, { signal, headers: { range: `bytes=0-${count - 1}` } });
    return new TextDecoder().decode(wholeLetters(new Uint8Array(await response.arrayBuffer())));
  },
  async send<T>(
    method: "POST" | "PUT" | "PATCH" | "DELETE",
    path: string,
    body?: unknown,
    options: CallOptions = {},
  ): Promise<T> {
    // A server that is away may keep a request waiting for long: who acts is told at once.
    const away = whyNot();
    if (away !== undefined) throw new ApiProblem("unreachable", away);
    const response = await send(method, path, { ...options, ...(body === undefined ? {} : { body }) });
    const text = await response.text();
    return (text === "" ? null : JSON.parse(text)) as T;
  },
};

/** The bytes without a letter at their end that is not all there. */
function wholeLetters(bytes: Uint8Array): Uint8Array {
  let start = bytes.length - 1;
  while (start >= 0 && bytes.length - start < 4 && ((bytes[start] ?? 0) & 0b1100_0000) === 0b1000_0000) start -= 1;
  const lead = bytes[start] ?? 0;
  const length = lead >= 0b1111_0000 ? 4 : lead >= 0b1110_0000 ? 3 : lead >= 0b1100_0000 ? 2 : 1;
  return start >= 0 && bytes.length - start < length ? bytes.subarray(0, start) : bytes;
}
