import { ForgeError } from "../../contract/errors.ts";

export interface Sent {
  method: "GET" | "POST" | "PATCH" | "PUT";
  url: string;
  body?: object;
  headers?: Record<string, string>;
  /** What changes something is not sent on to another address. */
  isChange: boolean;
  /** Only so many characters from the end of an answer that is not JSON. */
  keepEnd?: number;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
}

/** Whoever only asks can ask again; of a change somebody has to find out first whether it was made. */
const TIMEOUT_MS = { question: 15_000, change: 30_000 };
const LARGEST_CHARS = 64 * 1024 * 1024;

/** Sends one request, once. Whatever keeps an answer from arriving whole is one kind of error. */
export async function exchange({ host }: { host: string }, sent: Sent, token: string): Promise<Answer> {
  const timeoutMs = sent.isChange ? TIMEOUT_MS.change : TIMEOUT_MS.question;
  try {
    const response = await fetch(sent.url, {
      method: sent.method,
      headers: {
        accept: "application/vnd.github+json",
        authorization: `Bearer ${token}`,
        "user-agent": "anneal",
        "x-github-api-version": "2022-11-28",
        ...(sent.body === undefined ? {} : { "content-type": "application/json" }),
        ...sent.headers,
      },
      ...(sent.body === undefined ? {} : { body: JSON.stringify(sent.body) }),
      redirect: sent.isChange ? "manual" : "follow",
      signal: AbortSignal.timeout(timeoutMs),
    });
    const { status, headers } = response;
    const text = await textOf(response, sent.keepEnd);
    const isJson = /\bjson\b/.test(headers.get("content-type") ?? "");
    if (status === 200 && sent.keepEnd === undefined && !isJson) {
      throw new ForgeError("damaged", `${host} does not answer as GitHub does: check the address`);
    }
    return { status, headers, text };
  } catch (error) {
    if (error instanceof ForgeError) throw error;
    throw new ForgeError(
      "unavailable",
      `${host} could not be reached (${codeOf(error, timeoutMs)}): check the network, or try again later`,
    );
  }
}

async function textOf(response: Response, keepEnd: number | undefined): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (keepEnd !== undefined) text = text.slice(-keepEnd);
    else if (text.length > LARGEST_CHARS) throw new ForgeError("damaged", "the forge's answer is too large to be read");
  }
  return text + decoder.decode();
}

/** Never the error's own words: they may hold the address. */
function codeOf(error: unknown, timeoutMs: number): string {
  const { name, cause } = error as { name?: unknown; cause?: { code?: unknown } };
  if (typeof cause?.code === "string") return cause.code;
  return name === "TimeoutError" ? `no answer within ${timeoutMs / 1_000} s` : "the connection broke";
}
