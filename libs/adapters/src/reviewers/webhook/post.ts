import type { IncomingMessage, RequestOptions } from "node:http";

interface Posted {
  body: string;
  headers: Record<string, string>;
  signal: AbortSignal;
}

/** Posts a body and gives the answer as soon as it begins. No time limit but that of the signal, and no redirect is followed. */
export async function post(address: URL, { body, headers, signal }: Posted): Promise<IncomingMessage> {
  const { request } = await (address.protocol === "https:" ? import("node:https") : import("node:http"));
  // Of its own, so that no connection of ours outlives the review.
  const options: RequestOptions = { method: "POST", agent: false, headers, signal };
  return await new Promise((resolve, reject) => {
    request(address, options, resolve).on("error", reject).end(body);
  });
}
