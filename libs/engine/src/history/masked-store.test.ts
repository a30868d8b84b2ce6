import { expect, test } from "vitest";
import { maskedStore, type ProjectStore } from "./store-log.ts";

const said = { kind: "event", event: { type: "commented", text: "key-77" } };

test.for([
  {
    what: "a message to a loop is kept without what nobody may read",
    body: said,
    kept: { kind: "event", event: { type: "commented", text: "[redacted]" } },
  },
  {
    what: "a message to the owner stays as it is",
    body: { kind: "start", item: "f1", by: "robin" },
    kept: { kind: "start", item: "f1", by: "robin" },
  },
])("$what", ({ body, kept }) => {
  const posted: unknown[] = [];
  const store = { post: (message: unknown) => posted.push(message) } as unknown as ProjectStore;
  const event = <E>(one: E): E => JSON.parse(JSON.stringify(one).replaceAll("key-77", "[redacted]"));
  maskedStore(store, { event }).post({ id: "1", loop: "f1~1", body });
  expect(posted).toEqual([{ id: "1", loop: "f1~1", body: kept }]);
});
