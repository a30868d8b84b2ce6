import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Files by path: text or bytes to write, null to remove, `{ link }` for a symlink. */
export type Files = Record<string, string | Uint8Array | null | { link: string }>;

/** A git repository in a temp folder that goes away with `using`. */
export interface TestRepo extends Disposable {
  dir: string;
  /** Of a main work tree. */
  gitDir: string;
  /** Runs git and gives its standard output without the last newline. */
  git(...args: string[]): string;
  write(files: Files): void;
  /** Writes the files, stages everything, and commits; gives the commit id. */
  commit(files: Files, message?: string): string;
  remove(): void;
}

/** As `git config` would write it, without a process for each value: many thousand repositories are made. */
const IDENTITY = "[user]\n\tname = Robin Example\n\temail = robin@example.com\n";
const FIRST_DATE = 1_700_000_000;

/** Makes a repository on branch `main` with fixed identities and dates, so that equal content gives equal ids. */
export function makeRepo(files?: Files): TestRepo {
  const repo = openTestRepo(realpathSync(mkdtempSync(join(tmpdir(), "anneal-repo-"))));
  init(repo);
  if (files) repo.commit(files, "first");
  return repo;
}

const FOLDERS = ["hooks", "info", "objects/info", "objects/pack", "refs/heads", "refs/tags"];
let inited: Record<"HEAD" | "config" | "info/exclude", string> | undefined;

/** What `git init` does, which runs only for the first repository of a process. */
function init({ dir, git }: TestRepo): void {
  const own = join(dir, ".git");
  if (inited === undefined) {
    git("init", "--quiet", "--template=", "--initial-branch=main");
    const [HEAD, config] = ["HEAD", "config"].map((name) => readFileSync(join(own, name), "utf8"));
    inited = { HEAD: `${HEAD}`, config: `${config}${IDENTITY}`, "info/exclude": "" };
  }
  for (const folder of FOLDERS) mkdirSync(join(own, folder), { recursive: true });
  for (const [name, text] of Object.entries(inited)) writeFileSync(join(own, name), text);
}

/** Wraps a folder that holds a repository already, such as a clone or a linked work tree. */
export function openTestRepo(dir: string): TestRepo {
  let commits = 0;
  const git = (...args: string[]) => runGit(dir, args, FIRST_DATE + 60 * commits);
  const write = (files: Files) => {
    for (const [path, content] of Object.entries(files)) writeOne(join(dir, path), content);
  };
  const remove = () => {
    // And its workspaces next to it.
    for (const path of [dir, `${dir}.anneal`]) rmSync(path, { recursive: true, force: true });
  };
  return {
    dir,
    gitDir: join(dir, ".git"),
    git,
    write,
    commit(files, message = "change") {
      write(files);
      git("add", "--all");
      git("commit", "--quiet", "--allow-empty", "--no-verify", "-m", message);
      commits++;
      return headOf(dir) ?? git("rev-parse", "HEAD");
    },
    remove,
    [Symbol.dispose]: remove,
  };
}

/** The commit that the branch here stands at, where a look into the files tells. */
function headOf(dir: string): string | undefined {
  try {
    const head = readFileSync(join(dir, ".git/HEAD"), "utf8");
    if (!head.startsWith("ref: ")) return undefined;
    const id = readFileSync(join(dir, ".git", head.slice("ref: ".length).trim()), "utf8").trim();
    return /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(id) ? id : undefined;
  } catch {
    return undefined;
  }
}

function writeOne(path: string, content: Files[string]): void {
  rmSync(path, { recursive: true, force: true });
  if (content === null) return;
  mkdirSync(dirname(path), { recursive: true });
  if (typeof content === "string" || content instanceof Uint8Array) writeFileSync(path, content);
  else symlinkSync(content.link, path);
}

/** Git looks after every commit whether to tidy up, in a process of its own. */
const SETTINGS = ["protocol.file.allow=always", "maintenance.auto=false", "gc.auto=0"].flatMap((one) => ["-c", one]);

function runGit(cwd: string, args: string[], date: number): string {
  const result = spawnSync("git", [...SETTINGS, ...args], {
    cwd,
    encoding: "utf8",
    env: {
      PATH: process.env.PATH,
      HOME: cwd,
      LC_ALL: "C",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CONFIG_SYSTEM: "/dev/null",
      GIT_AUTHOR_NAME: "Robin Example",
      GIT_AUTHOR_EMAIL: "robin@example.com",
      GIT_AUTHOR_DATE: `${date} +0000`,
      GIT_COMMITTER_NAME: "Robin Example",
      GIT_COMMITTER_EMAIL: "robin@example.com",
      GIT_COMMITTER_DATE: `${date} +0000`,
    },
  });
  if (result.status !== 0) throw new Error(`git ${args.join(" ")}: ${result.error?.message ?? result.stderr}`);
  return result.stdout.replace(/\n$/, "");
}
