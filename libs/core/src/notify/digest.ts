import type { NotifyMessage } from "@anneal/types";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

const MOST = 30;

/** Several messages as one, oldest first. */
export function digestOf(messages: readonly NotifyMessage[]): NotifyMessage {
  const keys = messages.map(({ key }) => key).join("\n");
  const projects = [...new Set(messages.map(({ project }) => project))];
  const shown = messages.slice(0, MOST).map(({ title, item, link }) => `${title} (${link ?? item})`);
  const more = messages.length - shown.length;
  return {
    key: `digest:${bytesToHex(sha256(utf8ToBytes(keys))).slice(0, 24)}`,
    kind: "digest",
    project: projects.join(", "),
    item: "",
    title: `${messages.length} messages from quiet hours`,
    link: null,
    summary: [...shown, ...(more > 0 ? [`… and ${more} more.`] : [])],
    command: "anneal status",
    pullRequest: null,
  };
}
