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

  test("keeps a loop that has begun, which goes on once that is mended", async () => {
    const repo = project({ a: { steps: [implement, approve] } });
    const runtime = await own(repo, {
      onEvent: ({ event }) => {
        if (event.type === "implemented") repo.git("config", "user.useConfigOnly", "true");
        if (event.type === "implemented") repo.git("config", "--unset", "user.email");
      },
    });
    const state = await runtime.run("a");
    expect(state).toMatchObject({
      stage: "waiting-for-human",
      detail: expect.stringContaining("git config user.email"),
    });
    repo.git("config", "user.email", "robin@example.com");
    const word = { type: "signalled", id: "w", at: 1, signal: "retry", by: "ada" };
    runtime.store.post({ id: "w", loop: "a~1", body: { kind: "word", word } });
    await runtime.mailbox.empty();
    expect(await runtime.run("a")).toMatchObject({ outcome: "passed" });
  });
});
