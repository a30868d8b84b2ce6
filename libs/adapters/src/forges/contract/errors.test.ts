import { inspect } from "node:util";
import { expect, test } from "vitest";
import { ForgeError, isPassing, RateLimited, redact } from "./errors.ts";

test.for([
  "push to https://robin:hunter2hunter2@forge.example/x.git failed",
  "push to https://ghp_hunter2hunter2hunter2@forge.example/x.git failed",
  "bad credentials: ghp_hunter2hunter2hunter2hunter2hunter2",
  "token github_pat_11hunter2_hunter2 is expired",
  "GitLab says no to glpat-hunter2-hunter2",
  'request failed {"headers":{"authorization":"Bearer hunter2hunter2"}}',
  "Authorization: token hunter2hunter2",
  "PRIVATE-TOKEN: hunter2hunter2",
  "?access_token=hunter2&password=hunter2",
  "basic aHVudGVyMg==hunter2",
])("an error never shows a credential: %s", (text) => {
  const error = new ForgeError("unavailable", text, { cause: new Error(text) });
  expect(inspect(error)).not.toContain("hunter2");
  expect(redact(text)).not.toContain("hunter2");
});

test("an error is one line and keeps what is no secret", () => {
  const { message } = new ForgeError("invalid", "the branch a/b\nis not on https://forge.example/x.git: push it first");
  expect(message).toBe("the branch a/b is not on https://forge.example/x.git: push it first");
});

test("a cause is kept as its words only: a request with its headers is not", () => {
  const cause = Object.assign(new Error("503"), { request: { headers: { cookie: "hunter2" } } });
  expect(inspect(new ForgeError("unavailable", "down", { cause }))).not.toContain("hunter2");
});

test("a rate limit says until when; it and an outage pass by themselves, the rest does not", () => {
  const limited = new RateLimited(1_800_000_000_000);
  expect(limited.message).toContain("2027-01-15T08:00:00.000Z");
  expect([limited, new ForgeError("unavailable", "x")].map(isPassing)).toEqual([true, true]);
  expect([new ForgeError("forbidden", "x"), new Error("x"), null].map(isPassing)).toEqual([false, false, false]);
});
