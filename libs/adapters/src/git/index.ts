export type { Blobs } from "./blobs.ts";
export type { CommitOptions, CommitResult } from "./commit.ts";
export type { DiffOptions } from "./diff.ts";
export { GitError, type GitErrorKind } from "./errors.ts";
export { initRepo, openRepo, type Repo } from "./repo.ts";
export type { Snapshot } from "./snapshot.ts";
