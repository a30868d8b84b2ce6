import { existsSync } from "node:fs";
import { openRepo } from "@anneal/git";
import { copiedFrom } from "@anneal/workspace/reading/reading-copies";
import { expect, test } from "vitest";
import { makeRepo } from "../../../git/src/testing/make-repo.ts";
import { tamperGuard } from "./tamper-guard.ts";

test("who is asked aside has a folder from which the repository is out of reach, for that long", async () => {
  using made = makeRepo({ "a.txt": "1\n" });
  const repo = await openRepo(made.dir);
  const room = tamperGuard({ lend: () => Promise.reject(new Error("nothing is lent")), source: repo });
  const folder = await room.inEmptyFolder(async (path) => {
    expect(copiedFrom(path)).toBe(repo.root);
    return path;
  });
  expect([existsSync(folder), copiedFrom(folder)]).toEqual([false, undefined]);
  await expect(room.inEmptyFolder(() => Promise.reject(new Error("it broke")))).rejects.toThrow("it broke");
});
