import type { ChangedFile } from "@anneal/types";
import { hostsIn, npmSources, placesOf } from "./lock-sources.ts";

/** How the lock files of one tool are checked. */
interface LockFile {
  /** Which files it is made from: one of them has to stand beside it. */
  manifests: readonly string[];
  /** From where all that a text of it names comes; null where the text cannot be read. */
  sources(text: string): string[] | null;
  /** The hosts from which such packages usually come. */
  hosts: readonly string[];
}

const NPM = { manifests: ["package.json"], hosts: ["registry.npmjs.org", "registry.yarnpkg.com"] };
const PYTHON = { manifests: ["pyproject.toml"], hosts: ["pypi.org", "files.pythonhosted.org"], sources: placesOf };
const NOTICE = /^[ \t]*deprecated:.*$/gmu;
/** What its authors say of a package names their pages. */
const ABOUT =
  /"(?:homepage|notification-url|issues|forum|wiki|docs|chat|rss|security|irc|type|email|name|description)":\s*"[^"]*"|"funding":\s*\[[^\]]*\]/gu;

const LOCK_FILES: Readonly<Record<string, LockFile>> = {
  "package-lock.json": { ...NPM, sources: npmSources },
  "npm-shrinkwrap.json": { ...NPM, sources: npmSources },
  "yarn.lock": { ...NPM, sources: placesOf },
  "pnpm-lock.yaml": { ...NPM, sources: (text) => placesOf(text.replace(NOTICE, "")) },
  "bun.lock": { ...NPM, sources: placesOf },
  "deno.lock": {
    manifests: ["deno.json", "deno.jsonc", "package.json"],
    hosts: ["deno.land", "jsr.io"],
    sources: placesOf,
  },
  "Cargo.lock": { manifests: ["Cargo.toml"], hosts: ["github.com", "index.crates.io"], sources: placesOf },
  "poetry.lock": PYTHON,
  "uv.lock": PYTHON,
  "Pipfile.lock": { ...PYTHON, manifests: ["Pipfile"] },
  "composer.lock": {
    manifests: ["composer.json"],
    hosts: ["api.github.com", "github.com", "getcomposer.org"],
    sources: (text) => placesOf(text.replace(ABOUT, "")),
  },
  "Gemfile.lock": { manifests: ["Gemfile"], hosts: ["rubygems.org"], sources: placesOf },
  // Hashes of what the manifest names: no place at all.
  "go.sum": { manifests: ["go.mod"], hosts: [], sources: () => [] },
  "go.work.sum": { manifests: ["go.work"], hosts: [], sources: () => [] },
  "flake.lock": { manifests: ["flake.nix"], hosts: [], sources: () => null },
};

export function isLockFile(path: string): boolean {
  return Object.hasOwn(LOCK_FILES, nameOf(path));
}

/** What is known of the change and of the tree that it ends in. */
export interface Surroundings {
  changed: ReadonlyMap<string, ChangedFile>;
  /** Whether the head holds a file or folder of that path. */
  holds(path: string): boolean;
  /** The text of a blob; null where there is none. */
  content(blob: string): Promise<string | null>;
}

/**
 * A lock file fits its manifest where that stands beside it, and where all that it names comes from the usual hosts, from one that
 * it named before, from one that a manifest or a registry's settings name in the same change, or from a folder of the repository.
 */
export async function isFittingLock(file: ChangedFile, { changed, holds, content }: Surroundings): Promise<boolean> {
  const lock = LOCK_FILES[nameOf(file.path)];
  if (!isLockFile(file.path) || lock === undefined || !TEXT.includes(file.skipped)) return false;
  const folder = file.path.slice(0, -nameOf(file.path).length);
  const manifests = lock.manifests.map((name) => `${folder}${name}`).filter(holds);
  if (manifests.length === 0) return false;
  const [before, after] = [await content(file.oldBlob), await content(file.newBlob)];
  const sources = after === null ? null : lock.sources(after);
  if (sources === null) return false;
  const known = new Set([...lock.hosts, ...(lock.sources(before ?? "") ?? [])]);
  const isKnown = (source: string) => known.has(source) || isWithin(`${folder}${source}`, holds);
  if (sources.every(isKnown)) return true;
  for (const path of [...manifests, ...SETTINGS.flatMap((name) => [name, `${folder}${name}`])]) {
    const blob = changed.get(path)?.newBlob;
    for (const host of blob === undefined ? [] : hostsNamed(path, (await content(blob)) ?? "")) known.add(host);
  }
  return sources.every(isKnown);
}

/** All of its lines are there. */
const TEXT: readonly (string | undefined)[] = [undefined, "renamed only", "mode change only"];

/** Where a repository says from which registries it takes packages. */
const SETTINGS = [".npmrc", ".yarnrc", ".yarnrc.yml", ".cargo/config.toml"];

function isWithin(path: string, holds: Surroundings["holds"]): boolean {
  return !path.split("/").some((name) => name === ".." || name === "") && holds(path);
}

const ABOUT_ITSELF = /^\s*"?(?:homepage|repository|documentation|bugs|funding|author|license|description)\b/iu;

/** What a manifest says of its own pages names no place of packages. */
function hostsNamed(path: string, text: string): string[] {
  if (nameOf(path) === "package.json") return dependencyHosts(text);
  return hostsIn(
    text
      .split("\n")
      .filter((line) => !ABOUT_ITSELF.test(line))
      .join("\n"),
  );
}

function dependencyHosts(text: string): string[] {
  try {
    const named: Record<string, unknown> = JSON.parse(text) ?? {};
    const keys = Object.keys(named).filter((key) => /dependencies$|^(?:overrides|resolutions|pnpm)$/iu.test(key));
    return hostsIn(JSON.stringify(keys.map((key) => named[key])));
  } catch {
    return [];
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
