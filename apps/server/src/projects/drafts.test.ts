import { expect, test } from "vitest";
import { Drafts } from "./drafts.ts";

test("a question has one draft at a time; another question is no matter", async () => {
  const drafts = new Drafts();
  const { signal } = new AbortController();
  const { promise, resolve } = Promise.withResolvers<string>();
  const first = drafts.one("a", signal, () => promise);
  await expect(drafts.one("a", signal, async () => "second")).rejects.toMatchObject({ code: "conflict" });
  expect(await drafts.one("b", signal, async () => "other")).toBe("other");
  resolve("first");
  expect(await first).toBe("first");
  expect(await drafts.one("a", signal, async () => "again")).toBe("again");
});

test("one that was called off is waited for, and only one of those who wait comes next", async () => {
  const drafts = new Drafts();
  const off = new AbortController();
  const { signal } = new AbortController();
  const { promise, reject } = Promise.withResolvers<string>();
  const order: string[] = [];
  const first = drafts.one("a", off.signal, () => promise.finally(() => order.push("ended")));
  off.abort();
  const next = ["second", "third"].map((name) =>
    drafts.one("a", signal, async () => {
      order.push(name);
      return name;
    }),
  );
  const settled = drafts.settled();
  reject(new Error("called off"));
  await expect(first).rejects.toThrow("called off");
  await settled;
  expect(await Promise.allSettled(next)).toMatchObject([
    { status: "fulfilled", value: "second" },
    { status: "rejected", reason: { code: "conflict" } },
  ]);
  expect(order).toEqual(["ended", "second"]);
});

test("a draft that fails stands in nobody's way", async () => {
  const drafts = new Drafts();
  const { signal } = new AbortController();
  await expect(drafts.one("a", signal, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await drafts.one("a", signal, async () => "yes")).toBe("yes");
});
