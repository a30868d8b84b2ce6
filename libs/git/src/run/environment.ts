import { existsSync, realpathSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { withoutOurToken } from "@anneal/system/processes/environment";

// Where the caller runs inside a git hook or alias, its GIT_* variables point at another repository or index.
const KEPT = new Set([
  "GIT_AUTHOR_NAME",
  "GIT_AUTHOR_EMAIL",
  "GIT_COMMITTER_NAME",
  "GIT_COMMITTER_EMAIL",
  "GIT_ASKPASS",
  "GIT_CEILING_DIRECTORIES",
  "GIT_CONFIG_GLOBAL",
  "GIT_CONFIG_NOSYSTEM",
  "GIT_CONFIG_SYSTEM",
  "GIT_DISCOVERY_ACROSS_FILESYSTEM",
  "GIT_EXEC_PATH",
  "GIT_SSH",
  "GIT_SSH_COMMAND",
  "GIT_SSL_CAINFO",
]);

/** The environment that every git process gets: the caller's, without what could change where git looks or what it prints. */
export function gitEnvironment(
  extra: Record<string, string> = {},
  from: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = {};
  for (const [name, value] of Object.entries(withoutOurToken(from))) {
    if (!name.startsWith("GIT_") || KEPT.has(name)) env[name] = value;
  }
  return {
    ...env,
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_PAGER: "cat",
    // A replace ref would show other content than the ids that a verdict is bound to.
    GIT_NO_REPLACE_OBJECTS: "1",
    LC_ALL: "C",
    ...extra,
  };
}

/**
 * Keeps git from a repository above a folder. A workspace that has lost its `.git` may lie in one, such as a home folder that
 * somebody keeps with git, and git would commit, reset and clean there.
 */
export function onlyHere(cwd: string): Record<string, string> {
  const real = realOf(cwd);
  const above = dirname(real);
  // Git splits the list at every colon, so that no entry can hold one.
  if (above.includes(delimiter)) return { GIT_DIR: isGitFolder(real) ? real : join(real, ".git") };
  return { GIT_CEILING_DIRECTORIES: [above, process.env.GIT_CEILING_DIRECTORIES].filter(Boolean).join(delimiter) };
}

function isGitFolder(path: string): boolean {
  return !existsSync(join(path, ".git")) && existsSync(join(path, "HEAD")) && existsSync(join(path, "config"));
}

/** Git compares with where it really is. */
function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Settings of the user or the repository that could change output or start programs, put out of action. */
export const NEUTRAL_CONFIG = [
  "core.quotePath=false",
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  "core.safecrlf=false",
  "color.ui=false",
  "diff.noprefix=false",
  "diff.mnemonicPrefix=false",
  "diff.suppressBlankEmpty=false",
  "advice.addEmbeddedRepo=false",
  // Git adds a second entry for a file behind a folder that a sparse index has folded up last.
  "index.sparse=false",
].flatMap((setting) => ["-c", setting]);
