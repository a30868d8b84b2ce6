import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ApiItem } from "@anneal/types";
import { expect, test } from "vitest";
import { listen, serverWorld } from "../../testing/server-world.ts";

test("an item that cannot start says why on its card and on the stream, until somebody starts it again", async () => {
  await using world = await serverWorld();
  const [project = ""] = world.ids;
  const write = (policy: string) =>
    writeFileSync(
      join(world.roots[0] ?? "", ".automaker/features/f1/feature.json"),
      JSON.stringify({ id: "f1", title: "One", description: "Do it.", status: "backlog", policy }),
    );
  const at = `/api/projects/${project}/items/f1`;
  const errorOf = async () => ((await world.call("GET", at)).body as ApiItem).error;
  write("no-such-policy");
  const stream = await listen(world, { project, item: "f1" });
  await world.call("POST", `${at}/start`);
  await stream.until((frames) => frames.some(({ type }) => type === "item:trouble"));
  const trouble = stream.frames.find(({ type }) => type === "item:trouble");
  expect(trouble).toMatchObject({
    project,
    item: "f1",
    payload: { message: expect.stringContaining("no-such-policy") },
  });
  expect(await errorOf()).toMatch(/^this item could not start: .*no-such-policy/);

  write("gate");
  await world.call("POST", `${at}/start`);
  await stream.until((frames) => frames.some(({ payload }) => (payload as { stage?: string }).stage === "ended"));
  expect(await errorOf()).toBeNull();
  stream.close();
});
