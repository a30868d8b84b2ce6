import { createHmac } from "node:crypto";
import type { Notifier } from "../ports.ts";
import { postJson } from "./http.ts";

export interface NotifyWebhookSetup {
  url: string;
  /** The key of the signature; without one nothing is signed. */
  secret?: string | undefined;
  timeoutMs?: number;
}

const TIMEOUT_MS = 15_000;

/** Posts the message as JSON, with a signature over the body as GitHub makes it. */
export function webhookNotifier({ url, secret = "", timeoutMs = TIMEOUT_MS }: NotifyWebhookSetup): Notifier {
  return {
    name: "webhook",
    send(message, signal) {
      const body = JSON.stringify(message);
      const signature = secret === "" ? {} : { "x-anneal-signature-256": signatureOf(body, secret) };
      return postJson(url, { body, headers: { "x-anneal-delivery": message.key, ...signature }, signal, timeoutMs });
    },
  };
}

function signatureOf(body: string, secret: string): string {
  return `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
}
