import { lstatSync, readFileSync, realpathSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { complaint, GitError } from "./errors.ts";
import type { RepoLocation } from "./repo-location.ts";
import { git, runGit } from "./run.ts";

const QUESTIONS = ["--is-bare-repository", "--absolute-git-dir", "--git-common-dir", "--show-toplevel"] as const;

/** Asks git where the repository of a folder lives. Only a folder that a person names may lie anywhere in a work tree. */
export async function findRepository(
  dir: string,
  repository: "here" | "here-or-above" = "here",
): Promise<Omit<RepoLocation, "clock">> {
  const found = await stat(dir).catch(() => null);
  if (!found?.isDirectory())
    throw new GitError("not-a-repository", `${dir} is not a folder: name a folder inside a git work tree`);
  const plain = plainRepository(dir);
  if (plain !== null) return plain;
  const result = await runGit({
    cwd: dir,
    args: ["rev-parse", "--path-format=absolute", ...QUESTIONS],
    repository,
  });
  const answers = result.stdout.toString("utf8").split("\n");
  if (result.code !== 0) throw noRepository(dir, answers[0] === "true", result.stderr);
  const [, gitDir, commonDir, root] =
    answers.length === QUESTIONS.length + 1 ? answers : await askOneByOne(dir, repository);
  if (!gitDir || !commonDir || !root) throw noRepository(dir, false, result.stderr);
  return { root, gitDir, commonDir };
}

/** Settings that make a repository unlike the ordinary ones. */
const UNUSUAL = /^\s*(?:\[(?:include|extensions)|worktree\b|bare\s*=\s*(?:[^f\s]|f(?!alse\s*$)))/im;

/** The top of an ordinary repository of this user, as its files say it; null where git has to be asked. */
function plainRepository(dir: string): Omit<RepoLocation, "clock"> | null {
  try {
    const root = realpathSync(dir);
    const gitDir = join(root, ".git");
    const [own, top] = [lstatSync(gitDir), lstatSync(root)];
    const isOurs = [own, top].every(({ uid }) => uid === process.geteuid?.());
    if (!own.isDirectory() || !isOurs || process.env.GIT_DISCOVERY_ACROSS_FILESYSTEM !== undefined) return null;
    if (!["objects", "refs"].every((name) => lstatSync(join(gitDir, name)).isDirectory())) return null;
    if (!/^ref: refs\/|^[0-9a-f]{40}/.test(readFileSync(join(gitDir, "HEAD"), "utf8"))) return null;
    if (UNUSUAL.test(readFileSync(join(gitDir, "config"), "utf8"))) return null;
    return { root, gitDir, commonDir: gitDir };
  } catch {
    return null;
  }
}

/** For paths that hold newlines themselves. */
function askOneByOne(dir: string, repository: "here" | "here-or-above"): Promise<string[]> {
  return Promise.all(
    QUESTIONS.map(async (question) =>
      (await git({ cwd: dir, args: ["rev-parse", "--path-format=absolute", question], repository })).replace(/\n$/, ""),
    ),
  );
}

function noRepository(dir: string, bare: boolean, stderr: string): GitError {
  const cause = new Error(stderr);
  if (bare)
    return new GitError("not-a-repository", `${dir} is a bare repository: clone it, and run this in the clone`, {
      cause,
    });
  if (stderr.includes("dubious ownership")) {
    const advice = `trust it with git config --global --add safe.directory ${dir}`;
    return new GitError("failed", `${dir} belongs to another user, and git refuses to read it: ${advice}`, { cause });
  }
  if (stderr.includes("must be run in a work tree")) {
    return new GitError("not-a-repository", `${dir} is inside a git directory: run this in the work tree`, { cause });
  }
  if (stderr.includes("not a git repository")) {
    return new GitError("not-a-repository", `${dir} is not in a git repository: change folder, or run git init`, {
      cause,
    });
  }
  return new GitError("failed", `git cannot read ${dir}: ${complaint(stderr)}`, { cause });
}
