import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { approve, implement, own, project } from "./testing/project.ts";

beforeEach(() => {
  vi.stubEnv("GIT_CONFIG_GLOBAL", "/dev/null");
  vi.stubEnv("GIT_CONFIG_SYSTEM", "/dev/null");
});
afterEach(() => vi.unstubAllEnvs());

/** Git makes up no name of the machine's own here. */
function nobody() {
  const repo = project({ a: { steps: [implement, approve] } });
  repo.git("config", "--unset", "user.name");
  repo.git("config", "--unset", "user.email");
  repo.git("config", "user.useConfigOnly", "true");
  return repo;
}

describe("a repository in which git does not know who commits", () => {
  test("is refused before an agent works, with what to do, and then the item runs", async () => {
    const repo = nobody();
    const runtime = await own(repo);
    await expect(runtime.run("a")).rejects.toThrow(/git config user\.name .* git config user\.email/);
    expect(runtime.store.loop("a~1")).toBeNull();
    repo.git("config", "user.name", "Robin");
    repo.git("config", "user.email", "robin@example.com");
    expect(await runtime.run("a")).toMatchObject({ outcome: "passed" });
  });

  test("goes on with a loop that has begun, under the name that it began with", async () => {
    const repo = project({ a: { steps: [implement, approve] } });
    const runtime = await own(repo, {
      onEvent: ({ event }) => {
        if (event.type === "implemented") repo.git("config", "user.useConfigOnly", "true");
        if (event.type === "implemented") repo.git("config", "--unset", "user.email");
      },
    });
    expect(await runtime.run("a")).toMatchObject({ outcome: "passed" });
    expect(repo.git("log", "-1", "--format=%ae", "feature/a")).toBe("robin@example.com");
  });
});
