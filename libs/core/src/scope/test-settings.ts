/** Files that say which tests run and how, in full. */
const WHOLE =
  /(?:^|\/)(?:\.?pytest\.(?:ini|toml)|tox\.(?:ini|toml)|noxfile\.py|\.npmrc|\.taprc|\.rspec|\.mocharc(?:\.\w+)?|(?:jest|vitest|vite|ava|karma|mocha|playwright|cypress|wdio)\.(?:config|conf|workspace|preset)(?:\.\w+)+|(?:gnu)?makefile|justfile|taskfile\.ya?ml|rakefile|phpunit\.xml(?:\.dist)?|nextest\.toml)$/i;

/** What of other files does. */
const PARTS: Record<string, (text: string) => string> = {
  "package.json": keys,
  "conftest.py": withoutFixtures,
  "pyproject.toml": sections,
  "setup.cfg": sections,
  "Cargo.toml": sections,
  "CMakeLists.txt": commands,
};

/** The part of a file that decides which tests run and how; null where it is no such file. */
export function testSettings(path: string, text: string): string | null {
  if (WHOLE.test(path)) return text;
  if (REQUIREMENTS.test(path)) return places(text);
  return PARTS[path.slice(path.lastIndexOf("/") + 1)]?.(text) ?? null;
}

const KEYS = [
  ...["scripts", "config", "workspaces", "jest", "vitest", "mocha", "ava", "tap", "nyc", "c8", "wireit", "nx"],
  ...["simple-git-hooks", "husky", "lint-staged", "pre-commit", "pre-push", "ghooks"],
  ...["gypfile", "packageManager", "overrides", "resolutions", "pnpm"],
];
const DEPENDENCIES = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"];

function keys(text: string): string {
  try {
    const found = JSON.parse(text) as Record<string, unknown> | null;
    const elsewhere = DEPENDENCIES.flatMap((key) => Object.entries(found?.[key] ?? {}).filter(isFromElsewhere));
    return JSON.stringify([KEYS.map((key) => found?.[key]), elsewhere]);
  } catch {
    // What cannot be read could say anything.
    return text;
  }
}

/** From an address, a folder or another name: what a registry has under this one is a version alone. */
function isFromElsewhere([, from]: [string, unknown]): boolean {
  return typeof from !== "string" || (/[:/]/.test(from) && !from.startsWith("workspace:"));
}

/** Lists of packages for pip. */
const REQUIREMENTS =
  /(?:^|\/)(?:[\w.-]*(?:requirements|constraints)[\w.-]*\.(?:txt|in)|requirements\/[\w.-]+\.(?:txt|in))$/i;

/** The lines that say from where packages come, and with which options. */
function places(text: string): string {
  return linesOf(text, /^\s*-|:\/\/|@|^\s*\.{0,2}\//);
}

/** The lines of CMake that run something, fetch something or say which tests there are. */
function commands(text: string): string {
  return linesOf(
    text,
    /\b(?:execute_process|exec_program|add_custom_\w+|COMMAND|FetchContent\w*|ExternalProject\w*|CPM\w*|URL|GIT_REPOSITORY|GIT_TAG|DOWNLOAD|include|add_test|enable_testing|set_tests_properties|\w+_LAUNCHER|CMAKE_\w*COMPILER|cmake_language)\b/i,
  );
}

function linesOf(text: string, wanted: RegExp): string {
  return text
    .split("\n")
    .filter((line) => line === "\0" || (wanted.test(line) && !/^\s*#/.test(line)))
    .join("\n");
}

const HEADER = /^(?=[ \t]*\[{1,2}[\w.:"' -]+\]{1,2}[ \t]*(?:#.*)?$)/m;
const DECIDES =
  /^\s*\[+\s*(?:(?:tool\s*[.:]\s*)?["']?(?:pytest|tox|nox|hatch|pdm|poe|taskipy|nose2|unittest|aliases)\b|tool\s*\]|test\b|lib\b|bin\b|bench\b|workspace\b|testenv)/;

/** The sections of an ini or toml file that are about tests, and what stands above all sections where that could be. */
function sections(text: string): string {
  const [top = "", ...rest] = HEADER.test(text.split("\n")[0] ?? "") ? ["", ...text.split(HEADER)] : text.split(HEADER);
  return [/\btool\b/.test(top) ? top : "", ...rest.filter((section) => DECIDES.test(section))].join("");
}

const FIXTURE =
  /^@(?:pytest\.)?fixture(?:\((?:scope="\w+")?\))?\n(?:async )?def \w+\([\w, ]*\)(?: -> [\w.[\], ]+)?:\n(?:(?:[ \t][^\n]*)?\n)*/gm;
const IMPORT = /^(?:import [\w.]+|from [\w.]+ import [\w, ]+)\n/gm;
const MAY_DECIDE = /skip|xfail|exit|mark|autouse|collect|config|hook|pytest_|request/;

/** A fixture that tests ask for by name cannot keep them from running, unless it skips or ends them. */
function withoutFixtures(text: string): string {
  const unless = (found: string) => (MAY_DECIDE.test(found) ? found : "");
  return `${text.trimEnd()}\n`.replace(FIXTURE, unless).replace(IMPORT, unless).trim();
}
