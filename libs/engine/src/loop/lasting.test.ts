import { ForgeError, RateLimited } from "@anneal/adapters/forges";
import { GitError } from "@anneal/git";
import { describe, expect, test } from "vitest";
import { AgentFailed, LastingError, Misconfigured } from "../errors/errors.ts";
import { isLasting } from "./lasting.ts";

const withCode = (code: string) => Object.assign(new Error(code), { code });

describe("a failure that may pass by itself is tried again", () => {
  test.for<[string, Error]>([
    ["an agent that crashed", new AgentFailed("crashed", { usage: {} })],
    ["a lock that somebody holds", new GitError("locked", "locked")],
    ["a remote out of reach", new GitError("unreachable", "no route")],
    ["a forge that is overloaded", new ForgeError("unavailable", "502")],
    ["a forge that limits requests", new RateLimited(0)],
    ["a connection that was cut", withCode("ECONNRESET")],
    ["a name that could not be resolved just now", withCode("EAI_AGAIN")],
    ["a request that failed for such a reason", new TypeError("fetch failed", { cause: withCode("ETIMEDOUT") })],
    ["a time-out", new DOMException("too slow", "TimeoutError")],
  ])("%s", ([, error]) => {
    expect(isLasting(error)).toBe(false);
  });
});

describe("a failure that will be the same next time goes to a person at once", () => {
  test.for<[string, unknown]>([
    ["what says so", new LastingError("moved")],
    ["a setting", new Misconfigured("testCommand", "wrong")],
    ["an agent that says so", new AgentFailed("no step left", { usage: {}, lasting: true })],
    ["a key that does not sign", new GitError("signing", "gpg failed")],
    ["a git that refuses", new GitError("failed", "bad object")],
    ["a missing git", new GitError("git-missing", "install git")],
    ["a forge that says no", new ForgeError("forbidden", "no")],
    ["a missing program", withCode("ENOENT")],
    ["a full disk", withCode("ENOSPC")],
    ["a mistake of ours", new TypeError("x is undefined")],
    ["something thrown that is no error", "what?"],
  ])("%s", ([, error]) => {
    expect(isLasting(error)).toBe(true);
  });
});
