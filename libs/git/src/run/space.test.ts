import { statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freeSpace, requireSpace } from "../index.ts";

test("free space is known for a path that does not exist yet", async () => {
  const { blocks, bsize } = statfsSync(tmpdir());
  const free = await freeSpace(join(tmpdir(), "not", "yet", "there"));
  expect(free).toBeGreaterThan(0);
  expect(free).toBeLessThanOrEqual(blocks * bsize);
});

test("too little of it is a named error, enough is not", async () => {
  await requireSpace(tmpdir(), 1);
  await expect(requireSpace(tmpdir(), Number.MAX_SAFE_INTEGER)).rejects.toMatchObject({ kind: "no-space" });
});
