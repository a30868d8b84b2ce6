import { hash, randomBytes, timingSafeEqual } from "node:crypto";

/** A fresh secret that nobody guesses, fit for headers, cookies and addresses. */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** Whether two secrets are the same, in a time that does not depend on where they differ. */
export function sameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}

function digest(text: string): Buffer {
  return hash("sha256", text, "buffer");
}
