import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ApiItemChanges } from "@anneal/types";
import { expect, test } from "vitest";
import { listen, serverWorld } from "../testing/server-world.ts";

test("whoever listens hears of items that were added, edited or removed beside their loops, here or by others", async () => {
  await using world = await serverWorld();
  const [project = ""] = world.ids;
  const [root = ""] = world.roots;
  const at = `/api/projects/${project}`;
  const stream = await listen(world, { project });
  const ofOneItem = await listen(world, { project, item: "f1" });
  const told = () => stream.itemsChanged;
  let version = ((await world.call("GET", `${at}/items`)).body as { version: string }).version;
  /** What has changed, once the stream has said that something has. */
  const heard = async (act: () => unknown) => {
    const before = told().length;
    await act();
    await stream.until(() => told().length > before);
    const { body } = await world.call("GET", `${at}/item-changes?since=${version}`);
    const { items, gone, version: now } = body as ApiItemChanges;
    version = now;
    return [...items.map(({ id, title }) => `${id} ${title}`), ...gone.map((id) => `${id} gone`)];
  };
  // The first look finds all of them.
  await heard(() => {});

  const folder = join(root, ".automaker/features/outside");
  const write = (title: string) => {
    mkdirSync(folder, { recursive: true });
    const feature = { id: "outside", title, description: "Do it.", status: "backlog" };
    writeFileSync(join(folder, "feature.json"), JSON.stringify(feature));
  };
  expect(await heard(() => write("Written by another tool"))).toEqual(["outside Written by another tool"]);
  expect(await heard(() => write("Edited by hand"))).toEqual(["outside Edited by hand"]);
  expect(await heard(() => rmSync(folder, { recursive: true }))).toEqual(["outside gone"]);
  const made = { title: "Added on a page", description: "Do it." };
  expect(await heard(() => world.call("POST", `${at}/features`, made))).toEqual([
    expect.stringContaining("Added on a page"),
  ]);
  expect(told()[0]).toEqual({ type: "items:changed", project, payload: {} });
  expect(ofOneItem.itemsChanged).toEqual([]);
});

test("whoever listens hears that the folder of a project is gone, and that it is back", async () => {
  await using world = await serverWorld();
  const [project = ""] = world.ids;
  const [root = ""] = world.roots;
  const stream = await listen(world, { project });
  const told = () => stream.itemsChanged.length;
  await stream.until(() => told() === 1);
  renameSync(root, `${root}-away`);
  await stream.until(() => told() === 2);
  renameSync(`${root}-away`, root);
  await stream.until(() => told() === 3);
});
