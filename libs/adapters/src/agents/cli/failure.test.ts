import { expect, test } from "vitest";
import { failureOf } from "./failure.ts";

test.for<[said: string, kind: "turned away" | "lasting" | "neither", retryAfterMs?: number]>([
  ["API Error: 429 rate_limit_error. Please try again in 7s", "turned away", 7_000],
  ["Error: status code 503 from upstream", "turned away"],
  ["Overloaded", "turned away"],
  ["connect ECONNREFUSED 127.0.0.1:1", "turned away"],
  ["RESOURCE_EXHAUSTED: quota", "turned away"],
  ["getaddrinfo ENOTFOUND api.example.test", "turned away"],
  ["FileNotFoundError: [Errno 2] No such file or directory: 'a.py'", "neither"],
  ["ModuleNotFoundError: No module named 'x'", "neither"],
  ["http 401", "lasting"],
  ["Error: Not logged in. Run cursor-agent login", "lasting"],
  ["Invalid API key provided", "lasting"],
  ["model gpt-9 does not exist", "lasting"],
  ["HTTP 404: no route", "lasting"],
  ["TypeError: x is not a function at line 429", "neither"],
  ["", "neither"],
])("%s is %s", ([said, kind, retryAfterMs = null]) => {
  const failure = failureOf("cursor", said);
  expect(failure.error).toMatch(/^cursor failed: ./);
  expect(failure.lasting).toBe(kind === "lasting" ? true : undefined);
  expect(failure.rateLimited).toEqual(kind === "turned away" ? { retryAfterMs } : undefined);
});

test("a status that is known counts more than words", () => {
  expect(failureOf("x", "authentication error", 500).lasting).toBe(true);
  expect(failureOf("x", "nothing told", 529).rateLimited).toEqual({ retryAfterMs: null });
});

test("of many words the last ones are shown, on one line", () => {
  const { error = "" } = failureOf("x", `${"a\n".repeat(2_000)}the end`);
  expect(error.length).toBeLessThan(700);
  expect(error).toMatch(/the end$/);
  expect(error).not.toContain("\n");
});
