import { utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openRepo } from "../../index.ts";
import { makeRepo } from "../../testing/make-repo.ts";

test("an edit of the same length in the tick in which the index was written is seen", async () => {
  using repo = makeRepo({ a: "1\n" });
  const opened = await openRepo(repo.dir);
  const [file, index] = [join(repo.dir, "a"), join(repo.dir, ".git/index")];
  // Both carry the same moment, as they do on a file system whose clock ticks slowly.
  const moment = 1_700_000_000;
  utimesSync(file, moment, moment);
  repo.git("update-index", "--refresh");
  repo.write({ a: "2\n" });
  utimesSync(file, moment, moment);
  utimesSync(index, moment, moment);
  // The change time cannot be set, so git is set to ignore it.
  repo.git("config", "core.trustctime", "false");
  repo.git("config", "core.checkStat", "minimal");
  expect(await opened.worktreeTree()).not.toBe(await opened.treeOf("HEAD"));
});
