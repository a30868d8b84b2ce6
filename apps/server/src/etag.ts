import { z } from "zod";
import { RequestProblem } from "./problem.ts";

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** The ETag of a version, which is a hash of the content. */
export function etagOf(version: string): string {
  return `"${version}"`;
}

/** What a change names the version by; that it has to is said by `versionMeant`, in words. */
export const ifMatch = z.object({ "if-match": z.string().max(200).optional() });

/** The version that a change is meant for; whoever names none could write over what others did. */
export function versionMeant(headers: Headers): string {
  const tag = headers["if-match"];
  const version = typeof tag === "string" ? /^\s*"([^"]+)"\s*$/.exec(tag)?.[1] : undefined;
  if (version !== undefined) return version;
  const message = 'send the ETag that you read as If-Match, such as "3f…"';
  throw new RequestProblem("bad-request", `if-match: ${message}`, [{ path: "if-match", message }]);
}

/** Whether the client has this version already. */
export function hasVersion(headers: Headers, version: string): boolean {
  const tags = headers["if-none-match"];
  if (typeof tags !== "string") return false;
  return tags.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etagOf(version) || tag.trim() === "*");
}

/** What was to be changed is not what the client has read; null where it is gone. */
export function stale(what: string, version: string | null): RequestProblem {
  const now = version === null ? "it was deleted" : "read it again and repeat the change";
  const etag = version === null ? undefined : etagOf(version);
  return new RequestProblem("stale", `${what} has changed since you read it: ${now}`, undefined, etag);
}
