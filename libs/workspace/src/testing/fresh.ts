import { mkdirSync } from "node:fs";
import { openTestRepo, type TestRepo } from "../../../git/src/testing/make-repo.ts";

/** A repository with one commit, made by git itself with whatever options, at a path. */
export function fresh(dir: string, ...init: string[]): TestRepo {
  mkdirSync(dir, { recursive: true });
  const repo = openTestRepo(dir);
  repo.git("init", "--quiet", "--initial-branch=main", ...init);
  repo.git("config", "user.name", "Robin Example");
  repo.git("config", "user.email", "robin@example.com");
  repo.commit({ "a.txt": "one\n" });
  return repo;
}
