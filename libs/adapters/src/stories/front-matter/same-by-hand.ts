import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { storyStatusNamed } from "@anneal/core/stories";
import { splitFrontMatter } from "./split.ts";
import { readYamlMap } from "./yaml-map.ts";

/** What the engine writes into the front matter of work items while it runs them. */
const OWNED = /^(?:status|orch_.*)$/;

/**
 * Whether a text asks for the same as the one that the engine works from. What the engine itself has written there does not
 * count; a story that asks for its review as it stands does.
 */
export function sameByHand(text: string, worked: string): boolean {
  if (text === worked) return true;
  const [one, other] = [parts(text), parts(worked)];
  if (one === null || other === null) return false;
  const asksMore = isReview(one.status) && !isReview(other.status);
  return !asksMore && isDeepStrictEqual(one.byHand, other.byHand);
}

/** Changes with everything that a text asks for, and not with what the engine writes there, with tasks that are ticked off, or with how lines end. */
export function askedBy(file: string): string {
  const text = file.replaceAll("\r\n", "\n");
  const { fields, body } = parts(text)?.byHand ?? { fields: {}, body: text };
  const open = body.replace(/^(\s*[-*+]\s+\[)[xX]\]/gm, "$1 ]").trimEnd();
  return createHash("sha256")
    .update(JSON.stringify([fields, open]))
    .digest("hex")
    .slice(0, 16);
}

function isReview(status: unknown): boolean {
  return typeof status === "string" && storyStatusNamed(status) === "review";
}

interface Parts {
  status: unknown;
  byHand: { fields: Record<string, unknown>; body: string };
}

function parts(text: string): Parts | null {
  const split = splitFrontMatter(text);
  if (split.kind === "open") return null;
  const read = split.kind === "none" ? null : readYamlMap(split.yaml, { firstLine: 2, scalars: "typed" });
  if (read?.ok === false) return null;
  const values = Object.entries(read?.value ?? {});
  const fields = Object.fromEntries(values.filter(([key]) => !OWNED.test(key)));
  return { status: read?.value.status, byHand: { fields, body: text.slice(split.bodyStart).trimStart() } };
}
