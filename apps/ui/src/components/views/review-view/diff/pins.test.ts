import type { ApiFinding, ApiPullRequest } from "@anneal/types";
import { expect, test } from "vitest";
import type { LineComment } from "../../../../store/review-store.ts";
import { pinsOf } from "./pins.ts";

const finding = (fingerprint: string, kind: string, line?: number, fix: object | null = null) =>
  ({ fingerprint, finding: { file: "a.ts", line }, disposition: { kind }, fix }) as unknown as ApiFinding;
const comment: LineComment = { id: "7", file: "b.ts", line: 2, side: "old", at: "head", text: "Why?" };
const fix = { commit: "c", round: 1, hunk: { file: "a.ts", start: 30, end: 31 } };
const findings = [finding("open", "open", 4), finding("everywhere", "open"), finding("fixed", "fixed", 9, fix)];
const request = (sourceId: number, line: number | null) =>
  ({ source: "comment", sourceId, file: "c.ts", line }) as ApiPullRequest["requests"][number];
const requests = [request(1, 5), request(2, null)];
const nothing = { requests: [], chosen: null, to: "head", comments: [], writing: null };

test.for([
  { what: "open findings that have a line", of: {}, pins: ["finding open a.ts:4"] },
  {
    what: "the chosen finding where it was fixed",
    of: { chosen: "fixed", to: "2" },
    pins: ["finding open a.ts:4", "finding fixed a.ts:30"],
  },
  {
    what: "no fix in a diff that ends elsewhere",
    of: { chosen: "fixed", to: "3" },
    pins: ["finding open a.ts:4"],
  },
  {
    what: "comments, and the one that is being written",
    of: { findings: [], comments: [comment], writing: { ...comment, id: "8" } },
    pins: ["comment 7 b.ts:2", "writing 8 b.ts:2"],
  },
  {
    what: "requests of the pull request that have a line",
    of: { findings: [], requests },
    pins: ["request comment 1 c.ts:5"],
  },
  { what: "no request in a diff that ends before the head", of: { findings: [], requests, to: "1" }, pins: [] },
])("a diff has pins for $what", ({ of, pins }) => {
  const shown = pinsOf({ ...nothing, findings, ...of });
  expect(shown.map(({ key, file, line }) => `${key} ${file}:${line}`)).toEqual(pins);
});
