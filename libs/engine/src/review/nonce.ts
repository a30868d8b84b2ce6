import { randomUUID } from "node:crypto";

const PREFIX = "anneal-";
const NONCE = /anneal-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Fences a prompt's content; nobody who wrote that content can have known it. */
export function newNonce(): string {
  return `${PREFIX}${randomUUID()}`;
}

/** A prompt as it is kept: the nonce has done its work, and without it the same request is the same text. */
export function withoutNonce(prompt: string): string {
  return prompt.replaceAll(NONCE, `${PREFIX}nonce`);
}
