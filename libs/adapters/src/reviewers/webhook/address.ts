import { BlockList, isIP } from "node:net";

/** The webhook cannot be asked as it is set up; the message says what to mend, and holds no secret. */
export class WebhookError extends Error {
  override readonly name = "WebhookError";
}

/** Only where nobody else can listen: https, or this very machine. */
export function addressOf(url: string): URL {
  const address = URL.parse(url);
  if (address === null) throw new WebhookError("the address of the webhook is not a URL");
  // Fetch would not send them, and an error would show them.
  if (address.username !== "" || address.password !== "")
    throw new WebhookError("the address of the webhook must not hold a name or password: set ANNEAL_WEBHOOK_TOKEN");
  if (address.protocol === "https:") return address;
  if (address.protocol === "http:" && isLoopback(address.hostname)) return address;
  throw new WebhookError(
    `the webhook must be https, or http on this machine, not ${address.protocol}//${address.host}`,
  );
}

/** Undefined where there is none; one that no header can hold is refused without being shown. */
export function tokenOf(token: string | undefined): string | undefined {
  if (token === undefined || token === "") return undefined;
  if (!/^[\x21-\x7e]{1,4096}$/.test(token)) throw new WebhookError("ANNEAL_WEBHOOK_TOKEN is not a usable token");
  return token;
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet("127.0.0.0", 8, "ipv4");
LOOPBACK.addAddress("::1", "ipv6");

export function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "");
  if (host === "localhost") return true;
  const version = isIP(host);
  return version !== 0 && LOOPBACK.check(host, version === 6 ? "ipv6" : "ipv4");
}
