import { posix } from "node:path";

/** Reads files of one tree by their paths from its top; null where there is none. A link out of the tree is reported as such. */
export type ReadFiles = (paths: readonly string[]) => Promise<(Buffer | null)[]>;

/** A piece of a tree that a command names: a file, or one script of a package.json. */
export interface NamedFile {
  path: string;
  content: Buffer | string;
}

/** Files that steer a program whatever its arguments are. What those name in turn is not followed. */
const STEERED_BY: Readonly<Record<string, readonly string[]>> = {
  npm: [".npmrc"],
  npx: [".npmrc"],
  pnpm: [".npmrc", ".pnpmfile.cjs"],
  yarn: [".yarnrc", ".yarnrc.yml"],
  bun: ["bunfig.toml"],
  make: ["GNUmakefile", "makefile", "Makefile"],
  just: ["justfile", ".justfile"],
  rake: ["Rakefile"],
  task: ["Taskfile.yml", "Taskfile.yaml"],
  tox: ["tox.ini"],
  nox: ["noxfile.py"],
};

const MANAGERS = ["npm", "npx", "pnpm", "yarn", "bun"];
const INSTALLS = /^(?:ci|i|install|clean-install|install-clean|add|rebuild)$/;
/** Scripts that package managers run by themselves when they install. */
const LIFECYCLE = ["preinstall", "install", "postinstall", "prepublish", "preprepare", "prepare", "postprepare"];
const SHORT: Readonly<Record<string, string>> = { t: "test", tst: "test" };

/** The words of a line, also of one within quotes that a shell is given. */
function wordsOf(line: string): string[] {
  return line.split(/[\s"'`;&|()<>=$]+/).filter(Boolean);
}

/** A path from the top of the tree, or null for what leads out of it or is not a path. */
function inside(folder: string, word: string): string | null {
  if (word.startsWith("/") || word.startsWith("-") || word.includes("\0")) return null;
  const path = posix.normalize(posix.join(folder, word)).replace(/\/$/, "");
  return path === "." || path === ".." || path.startsWith("../") || path.startsWith(".git/") ? null : path;
}

/**
 * What a command line names directly in a tree: programs and scripts by their path, the scripts of package.json that it runs, and
 * files that steer its program. `passesOver` are files that do not count, such as tests, which a change may bring in any case.
 */
export async function filesNamed(
  line: string,
  read: ReadFiles,
  { passesOver = () => false, folder = "" }: { passesOver?: (path: string) => boolean; folder?: string } = {},
): Promise<NamedFile[]> {
  const found = new Map<string, Buffer | string>();
  const lines = [line];
  const seen = new Set<string>();
  for (let next = lines.pop(); next !== undefined; next = lines.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    const words = wordsOf(next);
    const paths = [
      ...new Set(words.flatMap((word) => [word, ...steering(word)]).flatMap((word) => inside(folder, word) ?? [])),
    ];
    const contents = await read(paths);
    paths.forEach((path, at) => {
      const content = contents[at];
      if (content != null && !passesOver(path)) found.set(path, content);
    });
    if (!words.some((word) => MANAGERS.includes(posix.basename(word)))) continue;
    for (const { path, scripts } of await manifests(words, folder, read)) {
      for (const name of scriptsRun(words, scripts)) {
        const script = scripts[name] ?? "";
        found.set(`${path} (scripts.${name})`, script);
        lines.push(script);
      }
    }
  }
  return [...found].map(([path, content]) => ({ path, content })).sort((a, b) => (a.path < b.path ? -1 : 1));
}

function steering(word: string): readonly string[] {
  const name = posix.basename(word);
  return Object.hasOwn(STEERED_BY, name) ? (STEERED_BY[name] ?? []) : [];
}

interface Manifest {
  path: string;
  scripts: Record<string, string>;
}

/** The package.json where a command runs, and those of folders that it names. */
async function manifests(words: readonly string[], folder: string, read: ReadFiles): Promise<Manifest[]> {
  const folders = [folder, ...words.flatMap((word) => inside(folder, word) ?? [])];
  const paths = [...new Set(folders.map((one) => posix.join(one, "package.json")))];
  const contents = await read(paths);
  return paths.flatMap((path, at) => {
    const content = contents[at];
    return content == null ? [] : [{ path, scripts: scriptsIn(content.toString("utf8")) }];
  });
}

function scriptsIn(text: string): Record<string, string> {
  try {
    const found: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    const scripts = typeof found === "object" && found !== null && "scripts" in found ? found.scripts : {};
    if (typeof scripts !== "object" || scripts === null) return {};
    return Object.fromEntries(
      Object.entries(scripts).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
    );
  } catch {
    return {};
  }
}

/** Those that a line names, with what runs before and after them; those of an installation where it is one. */
function scriptsRun(words: readonly string[], scripts: Readonly<Record<string, string>>): string[] {
  const names = words.map((word) => SHORT[word] ?? word);
  const isBare = words.length === 1;
  const installs = isBare || words.some((word) => INSTALLS.test(word)) ? LIFECYCLE : [];
  const all = [...names.flatMap((name) => [`pre${name}`, name, `post${name}`]), ...installs];
  return [...new Set(all)].filter((name) => Object.hasOwn(scripts, name)).sort();
}
