import { testSettings } from "./test-settings.ts";

/** What a fix touches that decides what runs, who judges, or what is installed: more than the code that it mends. */
export type Sensitive = keyof typeof SENSITIVE;

/** In the words of its finding. */
export const SENSITIVE = {
  ci: "CI",
  hook: "git hooks",
  settings: "settings of Anneal, an agent or a tool",
  build: "what builds or installs it",
  script: "scripts of a manifest, or settings that decide which tests run",
  lock: "a lock file",
  link: "a link",
  executable: "an executable bit",
};

const PATHS: readonly [Sensitive, RegExp][] = [
  [
    "ci",
    /^\.(?:github|gitea|forgejo)\/(?:workflows|actions)\/|^\.github\/(?:dependabot\.ya?ml|CODEOWNERS)$|(?:^|\/)CODEOWNERS$/i,
  ],
  ["ci", /(?:^|\/)(?:\.gitlab-ci\.ya?ml|\.gitlab-ci\/.*|Jenkinsfile[^/]*|azure-pipelines[^/]*\.ya?ml)$/i],
  ["ci", /^\.(?:circleci|buildkite|azure-pipelines|semaphore|teamcity|woodpecker|drone|tekton)\//i],
  [
    "ci",
    /^(?:\.?(?:travis|appveyor|drone|woodpecker|cirrus)\.ya?ml|bitbucket-pipelines\.ya?ml|cloudbuild\.ya?ml|codemagic\.ya?ml)$/i,
  ],
  ["ci", /^(?:\.builds|\.ci|\.zuul\.d|\.gitlab\/ci)\/|^\.(?:build|zuul)\.ya?ml$/i],
  [
    "hook",
    /(?:^|\/)(?:\.husky|\.?git-?hooks|\.lefthook)\/|(?:^|\/)\.?(?:lefthook(?:-local)?|pre-commit-config)\.\w+$/i,
  ],
  // By their own names alone: hooks/ is also where others keep parts of a page.
  [
    "hook",
    /(?:^|\/)hooks\/(?:applypatch-msg|(?:pre|post)-(?:applypatch|commit|merge-commit|merge|rebase|checkout|push|receive|rewrite|update|auto-gc)|prepare-commit-msg|commit-msg|update|fsmonitor-watchman)$|(?:^|\/)(?:\.overcommit\.ya?ml|\.pre-commit-hooks\.ya?ml|\.lintstagedrc(?:\.\w+)?|lint-staged\.config\.\w+)$/i,
  ],
  // With an ending, as it is written alone: dockerfile.ts is code.
  ["build", /(?:^|\/)(?:Docker|Container)file\.(?!md$)[\w-]+$/],
  [
    "build",
    /(?:^|\/)(?:(?:[\w-]+\.)?(?:docker|container)file|(?:docker-)?compose(?:\.[\w-]+)?\.ya?ml|build\.rs|setup\.py|binding\.gyp|sitecustomize\.py|gradlew(?:\.bat)?|\.pnpmfile\.c?js|\.pnp\.[cm]?js|bunfig\.toml)$|(?:^|\/)(?:gradle\/wrapper|\.mvn|\.yarn\/(?:releases|plugins))\//i,
  ],
  ["settings", /^\.automaker\/(?!features\/)|^\.anneal\/|^\.choo\.ya?ml$/i],
  [
    "settings",
    /(?:^|\/)(?:CLAUDE(?:\.local)?|AGENTS?|GEMINI|copilot-instructions)\.md$|(?:^|\/)\.(?:cursor|windsurf|cline|roo)rules$/i,
  ],
  [
    "settings",
    /(?:^|\/)\.(?:claude|codex|gemini|cursor|opencode|windsurf|continue|roo|clinerules|aider[^/]*|vscode|devcontainer|cargo)\//i,
  ],
  [
    "settings",
    /(?:^|\/)(?:\.mcp\.json|opencode\.jsonc?|\.aider\.[^/]*|\.envrc|\.yarnrc(?:\.yml)?|\.gitattributes|\.gitmodules)$/i,
  ],
  [
    "settings",
    /(?:^|\/)\.(?:idea|kiro|junie|qwen|amazonq|trae|zed)\/|(?:^|\/)(?:QWEN\.md|\.goosehints|\.rules|\.devcontainer\.json|\.lfsconfig)$/i,
  ],
  // What a search for secrets or holes is told to pass over.
  ["settings", /(?:^|\/)(?:\.gitleaksignore|\.?gitleaks\.toml|\.trivyignore(?:\.ya?ml)?|\.snyk|\.semgrepignore)$/i],
  [
    "lock",
    /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|deno\.lock|Cargo\.lock|poetry\.lock|uv\.lock|pdm\.lock|Pipfile\.lock|composer\.lock|Gemfile\.lock|go\.(?:work\.)?sum|flake\.lock|packages\.lock\.json|Podfile\.lock|mix\.lock|pubspec\.lock)$/i,
  ],
];

const LINKS = ["120000", "160000"];
const EXECUTABLE = "100755";
const ABSENT = "000000";

/** One side of a file: its mode, and its text where it has one. */
export interface FileSide {
  mode: string;
  text: string | null;
}

/** All that is sensitive about what became of a file; nothing for ordinary code. */
export function sensitiveIn(path: string, before: FileSide, after: FileSide): Sensitive[] {
  const byName = PATHS.filter(([, pattern]) => pattern.test(path)).map(([kind]) => kind);
  const scripts = testSettings(path, textOf(before)) === testSettings(path, textOf(after)) ? [] : ["script"];
  const isLink = LINKS.includes(before.mode) || LINKS.includes(after.mode);
  // A file that is gone runs no more.
  const isSwitched = after.mode !== ABSENT && (before.mode === EXECUTABLE) !== (after.mode === EXECUTABLE);
  const all = [...byName, ...scripts, ...(isLink ? ["link"] : []), ...(isSwitched && !isLink ? ["executable"] : [])];
  return [...new Set(all as Sensitive[])];
}

/** What is there and cannot be read could say anything. */
function textOf({ mode, text }: FileSide): string {
  return text ?? (mode === ABSENT ? "" : "\0");
}

const MANIFESTS: Record<string, readonly string[]> = {
  "package.json": ["package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "bun.lockb"],
  "deno.json": ["deno.lock"],
  "Cargo.toml": ["Cargo.lock"],
  "pyproject.toml": ["poetry.lock", "uv.lock", "pdm.lock"],
  Pipfile: ["Pipfile.lock"],
  "composer.json": ["composer.lock"],
  Gemfile: ["Gemfile.lock"],
  "go.mod": ["go.sum", "go.work.sum"],
  "flake.nix": ["flake.lock"],
  Podfile: ["Podfile.lock"],
  "mix.exs": ["mix.lock"],
  "pubspec.yaml": ["pubspec.lock"],
};

/** Whether a lock file could be that of a manifest: its own folder's, or that of a folder above. */
export function locks(lock: string, manifest: string): boolean {
  const [folder, name] = [lock.slice(0, lock.lastIndexOf("/") + 1), lock.slice(lock.lastIndexOf("/") + 1)];
  const of = MANIFESTS[manifest.slice(manifest.lastIndexOf("/") + 1)] ?? [];
  return manifest.startsWith(folder) && of.includes(name);
}
