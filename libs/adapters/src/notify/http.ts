import { isIP } from "node:net";
import { retryAfterMs } from "../agents/api/failures.ts";
import type { SendResult } from "../ports.ts";
import { isLoopback } from "../reviewers/webhook/address.ts";

export interface Posted {
  headers?: Record<string, string>;
  body: string;
  signal: AbortSignal;
  timeoutMs: number;
  /** What the answer of a refusal means; only words that cannot hold a secret are shown. */
  reasonIn?: (answer: string) => string | null;
}

const LARGEST_REASON_BYTES = 4_096;

/** Posts JSON once. What went wrong is told without the address, which may be a secret itself. */
export async function postJson(url: string, posted: Posted): Promise<SendResult> {
  const address = safeAddress(url);
  if (typeof address === "string") return { result: "refused", why: address };
  const limit = AbortSignal.timeout(posted.timeoutMs);
  const reached = { server: false };
  try {
    return await post(address, { ...posted, signal: AbortSignal.any([posted.signal, limit]) }, reached);
  } catch (error) {
    const why = limit.aborted ? `it did not answer within ${posted.timeoutMs} ms` : reasonOf(error);
    // Whoever was reached may have taken the message, though the answer got lost.
    return reached.server ? { result: "unclear", why } : { result: "later", why, retryAfterMs: null };
  }
}

/** Where nobody else can listen; a sentence where it is not. */
function safeAddress(url: string): URL | string {
  const address = URL.parse(url);
  if (address === null) return "its address is not a URL";
  if (address.username !== "" || address.password !== "") return "its address must not hold a name or password";
  if (address.protocol === "https:") return address;
  if (address.protocol === "http:" && isLoopback(address.hostname)) return address;
  return "its address must be https, or http on this machine";
}

async function post(
  address: URL,
  { headers, body, signal, reasonIn = () => null }: Posted,
  reached: { server: boolean },
): Promise<SendResult> {
  const isSecure = address.protocol === "https:";
  const { request } = await (isSecure ? import("node:https") : import("node:http"));
  const length = String(Buffer.byteLength(body));
  return await new Promise((resolve, reject) => {
    const asked = request(address, {
      method: "POST",
      // Of its own, so that no connection outlives the message.
      agent: false,
      headers: { "content-type": "application/json", "content-length": length, ...headers },
      signal,
      ...(isSecure && isIP(address.hostname) === 0 ? { servername: address.hostname } : {}),
    });
    asked.on("socket", (socket) => {
      socket.once(isSecure ? "secureConnect" : "connect", () => {
        reached.server = true;
      });
    });
    asked.on("error", reject);
    asked.on("response", (response) => {
      const { statusCode: status = 0 } = response;
      const after = retryAfterMs(new Headers({ "retry-after": response.headers["retry-after"] ?? "" }));
      let answer = "";
      const done = () => resolve(resultOf(status, after, reasonIn(answer)));
      response.setEncoding("utf8");
      response.on("data", (text: string) => {
        answer += text.slice(0, LARGEST_REASON_BYTES - answer.length);
        if (answer.length >= LARGEST_REASON_BYTES) response.destroy();
      });
      // The status says it all: an answer that breaks off or goes on for ever changes nothing.
      response.on("error", done);
      response.on("close", done);
    });
    asked.end(body);
  });
}

/** These say that it was not taken. A gateway that lost the answer of the server behind it does not know. */
const LATER = [408, 425, 429, 500, 503];

function resultOf(status: number, retryAfter: number | null, reason: string | null): SendResult {
  if (status >= 200 && status < 300) return { result: "sent" };
  const redirect = status >= 300 && status < 400 ? ": redirects are not followed" : "";
  const why = `it answered ${status}${redirect}${reason === null ? "" : ` (${reason})`}`;
  if (LATER.includes(status)) return { result: "later", why, retryAfterMs: retryAfter };
  if (status >= 500) return { result: "unclear", why };
  return { result: "refused", why };
}

/** Never the error's own words: they may hold the address. */
function reasonOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return `it could not be reached (${typeof code === "string" ? code : "the connection broke"})`;
}
