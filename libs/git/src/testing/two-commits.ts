import { chmodSync } from "node:fs";
import { join } from "node:path";
import { type Files, makeRepo, type TestRepo } from "./make-repo.ts";

/** A repository on `main` with a commit ahead of it on `side` that holds every kind of change there is. */
export interface TwoCommits extends Disposable {
  repo: TestRepo;
  from: string;
  to: string;
}

const FROM: Files = {
  ".gitignore": "ignored*\n",
  keep: "k\n",
  edit: "one\ntwo\n",
  gone: "g\n",
  "old/name": "a file with a name of its own\n",
  run: "#!/bin/sh\n",
  link: { link: "keep" },
  file: "becomes a folder\n",
  "dir/x": "x\n",
  "dir/deep/y": "y\n",
};

const CHANGES: Files = {
  edit: "one\nzwei\n",
  gone: null,
  "old/name": null,
  "new/name": "a file with a name of its own\n",
  link: { link: "edit" },
  file: null,
  "file/inside": "i\n",
  dir: "was a folder\n",
  added: "a\n",
  "deep/er/added": "d\n",
  "with space\tand tab": "s\n",
};

export function twoCommits(first: Files = {}): TwoCommits {
  const repo = makeRepo({ ...FROM, ...first });
  const from = repo.git("rev-parse", "HEAD");
  repo.git("checkout", "-q", "-b", "side");
  repo.write(CHANGES);
  chmodSync(join(repo.dir, "run"), 0o755);
  const to = repo.commit({});
  repo.git("checkout", "-q", "main");
  return { repo, from, to, [Symbol.dispose]: () => repo.remove() };
}
