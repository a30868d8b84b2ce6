import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { makeRepo } from "../testing/make-repo.ts";
import { runGit } from "./run.ts";

test.for([
  { what: "whose filter ends with it", filter: "" },
  { what: "whose filter does not hear", filter: "trap '' TERM;" },
])("a git that is stopped while it writes the index, $what, leaves no lock and nothing at work", async ({ filter }) => {
  using repo = makeRepo({ ".gitattributes": "*.slow filter=slow\n" });
  const begun = join(repo.dir, ".git/begun");
  repo.git("config", "filter.slow.clean", `${filter} : > .git/begun; tail -f /dev/null`);
  repo.write({ "a.slow": "a\n" });
  const stop = new AbortController();
  const ended = runGit({ cwd: repo.dir, args: ["add", "--all"], signal: stop.signal });
  while (!existsSync(begun)) await delay(5);
  expect(existsSync(join(repo.dir, ".git/index.lock"))).toBe(true);
  stop.abort();
  // Git's output ends only once the filter, which holds it open too, is gone.
  await expect(ended).rejects.toThrow("git was stopped");
  expect(existsSync(join(repo.dir, ".git/index.lock"))).toBe(false);
});
