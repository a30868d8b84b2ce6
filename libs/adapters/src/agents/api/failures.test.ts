import { expect, test } from "vitest";
import { failedBy, retryAfterMs } from "./failures.ts";

test.for([
  { headers: { "retry-after": "3" }, ms: 3_000 },
  { headers: { "retry-after": "0.5" }, ms: 500 },
  { headers: { "retry-after-ms": "250", "retry-after": "3" }, ms: 250 },
  { headers: { "retry-after": "Thu, 01 Jan 1970 00:01:00 GMT" }, ms: 50_000 },
  { headers: { "retry-after": "Thu, 01 Jan 1970 00:00:01 GMT" }, ms: 0 },
  { headers: { "retry-after": "soon" }, ms: null },
  { headers: {}, ms: null },
])("$headers mean to come back after $ms", ({ headers, ms }) => {
  expect(retryAfterMs(new Headers(headers as Record<string, string>), 10_000)).toBe(ms);
});

test.for([
  { what: { status: 429, type: "insufficient_quota", message: "You exceeded your quota" }, kind: "lasting" },
  { what: { status: 400, message: "Your credit balance is too low" }, kind: "lasting" },
  { what: { type: "overloaded_error", message: "Overloaded" }, kind: "rateLimited" },
  { what: { type: "rate_limit_exceeded", message: "Slow down" }, kind: "rateLimited" },
  { what: { status: 400, type: "model_not_found", message: "no such model" }, kind: "lasting" },
  { what: { type: "invalid_prompt", message: "no" }, kind: "failed" },
])("$what is $kind", ({ what, kind }) => {
  const failure = failedBy(what, "Sign in.");
  expect(kind in failure ? kind : "failed").toBe(kind);
  expect(failure.error).toContain(what.message);
});
