import { expect, test } from "vitest";
import { approve, implement, own, project } from "./testing/project.ts";

test.for([
  {
    what: "a script that has no step left for the reviewer",
    steps: [implement],
    config: {},
    waits: { reason: "review-broke", detail: expect.stringContaining("the script has no step left") },
  },
  {
    what: "a script that has no step left for the implementer",
    steps: [approve],
    config: {},
    waits: { reason: "step-broke", detail: expect.stringContaining("the script has no step left") },
  },
  {
    what: "a key that does not sign",
    steps: [implement, approve],
    config: { "commit.gpgSign": "true", "gpg.program": "false" },
    waits: { reason: "step-broke", detail: expect.stringContaining("git config commit.gpgSign false") },
  },
])("$what is not tried again: a person is asked at once", async ({ steps, config, waits }) => {
  const repo = project({ a: { steps } });
  for (const [key, value] of Object.entries(config)) repo.git("config", key, value);
  const broke: unknown[] = [];
  const runtime = await own(repo, {
    onEvent: ({ event, state }) => event.type === "broke" && broke.push([event.lasting, state.notBefore]),
  });
  expect(await runtime.run("a")).toMatchObject({ stage: "waiting-for-human", ...waits });
  expect(broke).toEqual([[true, null]]);
});
