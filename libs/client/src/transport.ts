import { ApiProblem, problemIn } from "./problem.ts";

export interface ServerAddress {
  /** Where the server is; in a browser that came from it, nothing. */
  base?: string;
  /** For tools; browsers have a session. */
  token?: string;
  fetch?: typeof globalThis.fetch;
}

export interface CallOptions {
  body?: unknown;
  headers?: Record<string, string>;
  /** The ETag of what is to be changed. */
  ifMatch?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** Sends a request; what is refused, or cannot be sent, is an ApiProblem. */
export type Transport = (method: string, path: string, asked?: CallOptions) => Promise<Response>;

export function transport({ base = "", token, fetch = globalThis.fetch }: ServerAddress = {}): Transport {
  return async (method, path, { body, headers = {}, ifMatch, signal } = {}) => {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: {
        ...headers,
        ...(token === undefined ? {} : { "x-api-key": token }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(ifMatch === undefined ? {} : { "if-match": ifMatch }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    }).catch((cause: unknown) => {
      if (signal?.aborted) throw cause;
      throw new ApiProblem("unreachable", "the server does not answer", { cause });
    });
    if (response.ok || response.status === 304) return response;
    throw problemIn(response.status, response.headers.get("etag"), await said(response));
  };
}

/** What a response says: JSON where it is some, else its text. */
export async function said(response: Response): Promise<unknown> {
  const text = await response.text();
  if (text === "") return null;
  if (response.headers.get("content-type")?.includes("json") !== true) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
