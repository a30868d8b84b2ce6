import type { ChangedFile } from "@anneal/types";

/** How the lock files of one tool are checked. */
interface LockFile {
  /** Which files it is made from: one of them has to stand beside it. */
  manifests: readonly string[];
  /** Where a line says from where a package comes; without it only a change of the manifest explains the lock file. */
  source?: RegExp;
  /** The hosts from which such packages usually come. */
  hosts?: readonly string[];
}

const NPM: LockFile = {
  manifests: ["package.json"],
  source: /["\s]?\b(?:resolved|tarball)"?:?\s+"?([^"\s,}]+)/u,
  hosts: ["registry.npmjs.org", "registry.yarnpkg.com"],
};
const PYTHON: LockFile = {
  manifests: ["pyproject.toml"],
  source: /\b(?:url|registry|git)\s*=\s*"([^"]+)/u,
  hosts: ["pypi.org", "files.pythonhosted.org"],
};

/** Hashes of what the manifest names: no place at all. */
const NOTHING = /(?!)/u;

const LOCK_FILES: Readonly<Record<string, LockFile>> = {
  "package-lock.json": NPM,
  "npm-shrinkwrap.json": NPM,
  "yarn.lock": NPM,
  "pnpm-lock.yaml": NPM,
  "bun.lock": { manifests: ["package.json"] },
  "deno.lock": { manifests: ["deno.json", "deno.jsonc", "package.json"] },
  "Cargo.lock": { manifests: ["Cargo.toml"], source: /^source = "([^"]+)/u, hosts: ["github.com", "index.crates.io"] },
  "poetry.lock": PYTHON,
  "uv.lock": PYTHON,
  "Pipfile.lock": { manifests: ["Pipfile"] },
  "composer.lock": { manifests: ["composer.json"] },
  "Gemfile.lock": { manifests: ["Gemfile"], source: /^\s+remote: (\S+)/u, hosts: ["rubygems.org"] },
  "go.sum": { manifests: ["go.mod"], source: NOTHING },
  "go.work.sum": { manifests: ["go.work"], source: NOTHING },
  "flake.lock": { manifests: ["flake.nix"] },
};

export function isLockFile(path: string): boolean {
  return Object.hasOwn(LOCK_FILES, nameOf(path));
}

/** What is known of the change and of the tree that it ends in. */
export interface Surroundings {
  changed: ReadonlySet<string>;
  /** Whether the head holds a file of that path. */
  holds(path: string): boolean;
}

/**
 * A lock file fits its manifest where that stands beside it, and where it changes along with it or where all that the lock file
 * adds comes from the usual hosts or from one that its own lines named before.
 */
export function isFittingLock(file: ChangedFile, { changed, holds }: Surroundings): boolean {
  const lock = LOCK_FILES[nameOf(file.path)];
  if (!isLockFile(file.path) || lock === undefined || !TEXT.includes(file.skipped)) return false;
  const folder = file.path.slice(0, -nameOf(file.path).length);
  const manifests = lock.manifests.map((name) => `${folder}${name}`).filter(holds);
  if (manifests.length === 0) return false;
  if (manifests.some((path) => changed.has(path))) return true;
  const { source, hosts = [] } = lock;
  if (source === undefined) return false;
  const named = (signs: string) =>
    file.hunks.flatMap(({ lines }) => lines.flatMap((line) => hostIn(line, signs, source)));
  const known = new Set([...hosts, ...named("- ")]);
  return named("+").every((host) => known.has(host));
}

/** All of its lines are there. */
const TEXT: readonly (string | undefined)[] = [undefined, "renamed only", "mode change only"];

function hostIn(line: string, signs: string, source: RegExp): string[] {
  if (!signs.includes(line.slice(0, 1))) return [];
  const from = source.exec(line.slice(1))?.[1];
  if (from === undefined) return [];
  // What is no address, such as a folder of the repository, is a source that nobody knows by its host.
  return [/^[a-z+]+:\/\/(?:[^@/]*@)?([^:/]+)/iu.exec(from)?.[1]?.toLowerCase() ?? from];
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
