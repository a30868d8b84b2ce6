import { statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, sep } from "node:path";
import type { PrivateHome } from "./private-home.ts";

export interface Enclosed {
  /** Where it runs, without links in its path. */
  cwd: string;
  /** `cwd`, by default, is the only folder of the machine that can be written, besides those named below. */
  writable?: "cwd" | "none";
  writableFolders?: string[];
  /** A folder that takes the place of the user's home. */
  home: string;
  env: Record<string, string>;
  network?: "allowed" | "none";
  readable?: string[];
  /** Folders that others take the place of, which can be written. */
  standIns?: Record<string, string>;
  /** Whether what may write `cwd` may use git there, too: in a workspace, whose `.git` is its own. */
  git?: "writable" | "read-only";
  /** Files and folders that look empty inside, and cannot be changed there: in `cwd`, and our own. */
  hidden?: string[];
  /** Folders of the machine that look empty inside, but for the programs in them and what is named above. */
  closed?: string[];
  /** Where the programs lie that it needs, besides those on its PATH. */
  programs?: string[];
}

/** Compilers, interpreters and their package caches in the home folder: without them hardly a test runs. No settings, no keys. */
const TOOLS = [
  ...[".nvm", ".volta", ".fnm", ".asdf", ".bun/bin", ".deno/bin", ".yarn", ".npm-global", ".pyenv", ".rbenv", ".rvm"],
  ...[".rustup", ".cargo/bin", ".cargo/registry", ".cargo/git", "go/bin", "go/pkg", ".sdkman", ".jenv"],
  ...[".m2/repository", ".local/bin", ".local/lib", ".local/share/pnpm", ".local/share/fnm", ".local/share/mise"],
  ...[".local/share/uv", ".local/share/pipx", ".cache/ms-playwright", ".cache/Cypress", ".cache/puppeteer"],
];

/** The arguments that shut a command in: everything is read-only but `cwd`; /tmp, /run, the home folder and the network are its own. */
export function bubblewrap({
  cwd,
  home,
  env,
  network = "none",
  readable = [],
  programs = [],
  closed = [],
  ...more
}: Enclosed): string[] {
  const realHome = env.HOME ?? homedir();
  // Where the home folder cannot be covered, the command is sent elsewhere for its settings.
  const covered = realHome !== "/" && realHome !== cwd && realHome.startsWith("/");
  const [places, wide] = [[realHome, "/tmp", "/run", "/dev/shm"], [join(realHome, ".local")]];
  return [
    ...["--unshare-all", "--die-with-parent", "--cap-drop", "ALL"],
    ...(network === "allowed" ? ["--share-net"] : []),
    ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
    // Sockets in /run, such as Docker's, are doors out even where they are read-only.
    ...["--tmpfs", "/tmp", "--tmpfs", "/run"],
    ...(network === "allowed" ? readOnly("/run/systemd/resolve") : []),
    ...(covered ? ["--bind", home, realHome] : ["--setenv", "HOME", "/tmp"]),
    ...(covered ? TOOLS.flatMap((tool) => readOnly(join(realHome, tool))) : []),
    ...toolFolders([...(env.PATH ?? "").split(":"), ...programs.map(dirname)], places, wide).flatMap(readOnly),
    ...opened([...readable, ...programsIn(closed, env, programs)], more.writableFolders ?? [], more.standIns, closed),
    ...(more.writable === "none" ? ["--ro-bind", cwd, cwd] : ["--bind", cwd, cwd]),
    // Hooks and settings in there are run by us, outside.
    ...(more.git === "writable" && more.writable !== "none" ? [] : readOnly(join(cwd, ".git"))),
    ...(more.hidden ?? []).flatMap(emptied),
    ...closed.flatMap(sealed),
    ...["--chdir", cwd],
  ];
}

/** What a sandbox is for that shows the machine as it is, and keeps all of it from being written but a few folders. */
export interface KeptOff extends Pick<Enclosed, "cwd" | "env" | "git" | "closed" | "programs" | "hidden"> {
  /** What takes the place of the home folder; null where that cannot be covered. */
  home: PrivateHome | null;
  readOnlyFolders: readonly string[];
  writableFolders: readonly string[];
}

/**
 * The arguments that keep a command from writing anything but some folders, and from seeing what is in others. Of folders that
 * lie in each other the inner one decides. What is not there cannot be made: the folder that would hold it is read-only.
 */
export function keepingOff({
  cwd,
  home,
  env,
  git,
  closed = [],
  programs = [],
  hidden = [],
  ...folders
}: KeptOff): string[] {
  const fresh = home === null ? [] : home.fresh.map((name) => join(home.at, name));
  const shown = home === null ? [] : TOOLS.map((tool) => join(home.at, tool)).filter((path) => isIn(path, fresh));
  const places = ["/tmp", "/run", ...fresh];
  const packages = toolFolders([...(env.PATH ?? "").split(":"), ...programs.map(dirname)], places);
  // What is only to be seen is no reason not to write it.
  const seen = [cwd, ...packages].filter((path) => !folders.writableFolders.includes(path));
  const readable = [...seen, ...folders.readOnlyFolders, ...programsIn(closed, env, programs)];
  return [
    // Without these it could mount the same folders anew, or reach them through a process that stands outside.
    ...["--unshare-user-try", "--unshare-pid", "--die-with-parent", "--cap-drop", "ALL"],
    ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
    // Sockets in there, such as those of Docker and of the user's systemd, are doors out.
    ...["--tmpfs", "/tmp", "--tmpfs", "/run", ...RESOLVERS.flatMap(readOnly)],
    ...(home === null
      ? []
      : ["--bind", home.by, home.at, ...home.shown.map((name) => join(home.at, name)).flatMap(readOnly)]),
    ...shown.flatMap(readOnly),
    ...opened(readable, folders.writableFolders, {}, closed),
    ...(git === "writable" ? [] : readOnly(join(cwd, ".git"))),
    ...hidden.flatMap(emptied),
    ...closed.flatMap(sealed),
    ...["--chdir", cwd],
  ];
}

/** Where /etc/resolv.conf leads: without it no name of the network is known. */
const RESOLVERS = ["/run/systemd/resolve", "/run/NetworkManager", "/run/resolvconf"];

function isIn(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => path.startsWith(folder + sep));
}

function readOnly(path: string): string[] {
  return ["--ro-bind-try", path, path];
}

function emptied(path: string): string[] {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory();
  return isFolder ? ["--tmpfs", path, "--remount-ro", path] : ["--dev-bind", "/dev/null", path];
}

/** What lies within something else comes after it, so that it is not covered. A path that is in both lists cannot be written. */
function opened(
  readable: readonly string[],
  writable: readonly string[],
  standIns: Record<string, string> = {},
  closed: readonly string[] = [],
): string[] {
  const emptied = closed.map((path) => ["--tmpfs", path]);
  const replaced = Object.entries(standIns).map(([path, by]) => ["--bind", by, path]);
  const binds = [
    ...emptied,
    ...replaced,
    ...writable.map((path) => ["--bind-try", path, path]),
    ...readable.map(readOnly),
  ];
  return binds.sort((a, b) => (a.at(-1) ?? "").length - (b.at(-1) ?? "").length).flat();
}

/** Nothing can be put where something was taken away, once all that stays is there. */
function sealed(path: string): string[] {
  return ["--remount-ro", path];
}

function programsIn(closed: readonly string[], { PATH = "" }: Enclosed["env"], programs: readonly string[]): string[] {
  return toolFolders([...PATH.split(":"), ...programs.map(dirname)], closed);
}

/** Folders of programs that would be hidden, each with what lies next to its `bin`, or all packages where it is one of them. */
function toolFolders(folders: readonly string[], places: readonly string[], wide: readonly string[] = []): string[] {
  const hidden = folders.filter((folder) => places.some((place) => folder.startsWith(place + sep)));
  const tooWide = new Set([...places, ...wide]);
  return hidden.map((folder) => {
    const packages = /^.*?\/node_modules(?=\/|$)/.exec(folder)?.[0];
    if (packages !== undefined) return packages;
    return basename(folder) === "bin" && !tooWide.has(dirname(folder)) ? dirname(folder) : folder;
  });
}
