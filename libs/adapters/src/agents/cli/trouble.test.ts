import { expect, test } from "vitest";
import { advised, retryAfterIn, troubleOfStatus } from "./trouble.ts";

test.for([
  ["try again in 7s", 7_000],
  ["Try again in 1 minute 7.5 s.", 67_500],
  ["try again in 3 days, 2 hours and 5 minutes", 266_700_000],
  ["retry in 250ms", 250],
  ["retry in 20 milliseconds", 20],
  ["try again at 3:45 PM", null],
  ["in the meantime", null],
  ["", null],
] as const)("%j says to come back in %s ms", ([message, ms]) => expect(retryAfterIn(message)).toBe(ms));

test.for([
  [400, {}],
  [401, { lasting: true }],
  [402, { lasting: true }],
  [403, { lasting: true }],
  [404, { lasting: true }],
  [408, { rateLimited: { retryAfterMs: 5 } }],
  [413, {}],
  [429, { rateLimited: { retryAfterMs: 5 } }],
  [500, { rateLimited: { retryAfterMs: 5 } }],
  [529, { rateLimited: { retryAfterMs: 5 } }],
] as const)("status %s means %j", ([status, meaning]) => expect(troubleOfStatus(status, 5)).toEqual(meaning));

test.for(["status 401", "status 401.", "status 401.. \n"])("advice after %j begins a second sentence", (words) =>
  expect(advised(words, "Sign in.")).toBe("status 401. Sign in."),
);
