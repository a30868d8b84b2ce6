import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import type { EventMessage } from "../history/store-log.ts";
import type { ItemKind } from "../items/kind.ts";
import { approve, idle, implement, own, project } from "../project/testing/project.ts";

test("a loop goes on only once the files of the word that sent it on are written, so that they are never written over newer ones", async () => {
  const runtime = await own(project({ f1: { steps: [idle, implement, approve] } }));
  expect(await runtime.run("f1")).toMatchObject({ stage: "waiting-for-human" });
  const { feature } = runtime.kinds;
  const [writing, written, prepared] = [gate(), gate(), gate()];
  const order: string[] = [];
  runtime.kinds.feature = {
    ...feature,
    async prepare(...args) {
      const result = await feature.prepare(...args);
      prepared.open();
      return result;
    },
    async project(...args: Parameters<ItemKind["project"]>) {
      order.push(args[1].stage);
      writing.open();
      if (order.length === 1) await written.opened;
      await feature.project(...args);
    },
  };
  const word = { type: "signalled", id: "w1", at: 1, signal: "retry", by: "Robin" } as const;
  const body: EventMessage = { kind: "event", event: word };
  runtime.store.post({ id: "w1", loop: "f1~1", body });
  await writing.opened;
  const run = runtime.run("f1");
  await prepared.opened;
  await setImmediate();
  expect(order).toEqual(["implementing"]);
  written.open();
  expect(await run).toMatchObject({ stage: "ended" });
  expect(await runtime.features.get("f1")).toMatchObject({ feature: { status: "verified" } });
});

function gate() {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  return { opened, open };
}
