import { expect, test } from "vitest";
import { keptOf } from "./kept.ts";

test("what is kept of an item is reported with the command that gives it back", async () => {
  const asked: string[] = [];
  const repo = {
    refs: async (folder: string) => {
      asked.push(folder);
      return [
        { name: "1", at: "c1" },
        { name: "1-files", at: "t1" },
      ];
    },
  };
  const under = "refs/anneal/kept/login";
  expect(await keptOf(repo, { kind: "feature", id: "login" })).toEqual([
    { ref: `${under}/1`, command: `git branch kept/login/1 ${under}/1` },
    { ref: `${under}/1-files`, command: `git restore --source ${under}/1-files -- .` },
  ]);
  expect(asked).toEqual([`${under}/`]);
});
