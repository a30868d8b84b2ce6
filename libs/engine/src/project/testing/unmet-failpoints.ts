const FORGE = "one that a person or the forge's own tests reach: killed in forges/fake/kills.test.ts";
const GITHUB = "the fake forge merges with git: killed in forges/github/kills.test.ts";
const GC = "only garbage collection removes these";
const UPGRADE = "needs a log of an older version: killed in embedded/database.test.ts";

/** Failpoints that no way of the kill matrix meets, each with the reason and with the test that kills there instead. */
export const UNMET: Record<string, string> = {
  "backup.rename.after": UPGRADE,
  "backup.rename.before": UPGRADE,
  "backup.write.before": UPGRADE,
  "blob.remove.after": `${GC}: killed in faults/removals.test.ts`,
  "blob.remove.before": `${GC}: killed in faults/removals.test.ts`,
  "feature.create.after": "features are added by people, not by loops: killed in features/store.test.ts",
  "feature.create.before": "features are added by people, not by loops: killed in features/store.test.ts",
  "feature.remove.after": "features are removed by people, not by loops: killed in faults/removals.test.ts",
  "feature.remove.before": "features are removed by people, not by loops: killed in faults/removals.test.ts",
  "forge.create.after": FORGE,
  "forge.create.before": FORGE,
  "forge.merge.after": GITHUB,
  "forge.merge.before": GITHUB,
  "forge.ready.after": FORGE,
  "forge.ready.before": FORGE,
  "forge.review.after": FORGE,
  "forge.review.before": FORGE,
  "git.index.after": "somebody has to touch the index during a commit: killed in git/planned-commit.test.ts",
  "git.index.before": "somebody has to touch the index during a commit: killed in git/planned-commit.test.ts",
};
