import { describe, expect, test } from "vitest";
import { openRepo, serialised } from "../index.ts";
import { makeRepo } from "../testing/make-repo.ts";

describe("the queue of a repository", () => {
  test("runs one piece of work at a time, in order, and goes on after a failure", async () => {
    const seen: string[] = [];
    const work = (name: string) => async () => {
      seen.push(`${name} starts`);
      await Promise.resolve();
      seen.push(`${name} ends`);
      if (name === "b") throw new Error("b fails");
      return name;
    };
    const results = await Promise.allSettled(["a", "b", "c"].map((name) => serialised("/one", work(name))));
    expect(seen).toEqual(["a starts", "a ends", "b starts", "b ends", "c starts", "c ends"]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  });

  test("does not make one repository wait for another", async () => {
    let release = () => {};
    const first = serialised("/one", () => new Promise<void>((resolve) => (release = resolve)));
    expect(await serialised("/two", async () => "done")).toBe("done");
    release();
    await first;
  });

  test("lets queued work queue more work of the same repository without waiting for itself", async () => {
    using repo = makeRepo({ a: "1\n" });
    const opened = await openRepo(repo.dir);
    const tree = await opened.treeOf("HEAD");
    await serialised(opened.commonDir, () => opened.keepTree("refs/anneal/trees/1", tree));
    expect(repo.git("rev-parse", "refs/anneal/trees/1")).toBe(tree);
  });
});
