import { mkdirSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { runCommand } from "../command.ts";
import { scrubbedEnvironment } from "../sandbox/environment.ts";
import { strayed } from "../sandbox/git-guard.ts";
import { guardDurably } from "../sandbox/left-settings.ts";
import { runMark } from "../sandbox/leftovers.ts";
import { agentIdentity } from "./agent-mark.ts";
import { gitEnvironment, onlyHere } from "./environment.ts";
import { GitError } from "./errors.ts";
import { contains } from "./paths.ts";
import type { Place } from "./place.ts";
import { runGit } from "./run.ts";
import { type BranchesThen, branchesNow, putBackMoves } from "./strange-moves.ts";

const HOOK_OUTPUT_LIMIT = 20_000;

/** What a hook said when it refused, or null where it agreed or does not exist. */
export async function hookRefusal(
  place: Place,
  hook: [name: string, ...args: string[]],
  signal: AbortSignal | undefined,
): Promise<string | null> {
  const judged = await judgedHooks(place, hook[0]);
  // Hooks run tests, which are what an agent wrote.
  const guard = guardDurably(place.root, judged === null ? "pointer" : "settings");
  const led: string[] = [];
  const then = judged === null ? null : await branchesNow(place);
  const ran = judged === null ? runOwn(place, hook, signal) : runJudged(place, hook, judged, signal);
  const { code, output } = await ran.finally(() => led.push(...guard.putBack()));
  if (led.length > 0) return `the ${hook[0]} hook ${strayed(led)}`;
  const moved = then === null ? [] : await movedBack(place, then);
  if (moved.length > 0) return `the ${hook[0]} hook moved ${moved.join(", ")}`;
  if (code === 0) return null;
  const said = output.trim().slice(0, HOOK_OUTPUT_LIMIT);
  return said === "" ? `the ${hook[0]} hook failed with exit code ${code}` : said;
}

/** What such a hook did to branches and tags where nothing shuts it in, in words: it is undone, and what it made is kept. */
async function movedBack(place: Place, then: BranchesThen): Promise<string[]> {
  const { putBack, renamed, restored, gone } = await putBackMoves(place, then, "refs/anneal/kept");
  return [
    ...putBack.map(({ ref, kept }) => `${ref}, which was put back (where it had put it is kept as ${kept})`),
    ...renamed.map(({ ref, to }) => `${ref} to ${to}, which has its name again`),
    ...restored.map(({ ref }) => `${ref} away, which is there again`),
    // Git removes the log along with the ref: nothing tells who it was, and people do remove branches.
    ...gone.flatMap(({ ref, kept }) => (kept === null ? [] : [`${ref} away (its commits are kept as ${kept})`])),
  ];
}

interface Ran {
  code: number | string;
  output: string;
}

const variables = (place: Place) => ({ GIT_INDEX_FILE: join(place.gitDir, "index"), GIT_EDITOR: ":" });

/** The user's own hook, which runs as any program of theirs. */
async function runOwn(place: Place, hook: string[], signal: AbortSignal | undefined): Promise<Ran> {
  const mark = runMark(place.root);
  const { code, stdout, stderr } = await runGit({
    cwd: place.root,
    args: ["hook", "run", "--ignore-missing", ...hook],
    env: { ...variables(place), ...mark.env },
    config: "own",
    mark: mark.text,
    signal,
  });
  return { code, output: `${stdout.toString("utf8")}${stderr}` };
}

/** Where hooks lie that came with the work tree: they are part of what is judged. Null for the user's own, and in the user's own tree. */
async function judgedHooks({ root, gitDir, commonDir }: Place, name: string): Promise<string | null> {
  if (gitDir === commonDir) return null;
  const args = ["rev-parse", "--git-path", `hooks/${name}`];
  const { code, stdout } = await runGit({ cwd: root, args, config: "own" });
  const path = resolve(root, stdout.toString("utf8").replace(/\n$/, ""));
  if (code !== 0) return null;
  return [path, ...real(path)].some((one) => contains(root, one)) ? dirname(path) : null;
}

const HOOK_TIMEOUT_MS = 60 * 60_000;

/** Shut in as the project's checks are, with as much of git's own folder as commits are made of. */
async function runJudged(place: Place, hook: string[], folder: string, signal: AbortSignal | undefined): Promise<Ran> {
  const { root, gitDir, commonDir } = place;
  const own = { ...onlyHere(root), ...variables(place), ...agentIdentity(root) };
  const env = gitEnvironment(own, scrubbedEnvironment());
  // What is not there could be made there.
  for (const name of ["refs/replace", "refs/notes"]) mkdirSync(join(commonDir, name), { recursive: true });
  // Inside, the user's own settings are not there to say where hooks lie.
  const args = ["--no-pager", "-c", `core.hooksPath=${folder}`, "hook", "run", "--ignore-missing", ...hook];
  const { status, output } = await runCommand(["git", ...args], {
    cwd: root,
    timeoutMs: HOOK_TIMEOUT_MS,
    env: Object.fromEntries(
      Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    ),
    sandbox: "auto",
    writableFolders: [...OPEN.map((name) => join(commonDir, name)), gitDir],
    readable: [
      ...["", ...KEPT].map((name) => join(commonDir, name)),
      ...KEPT_OF_TREE.map((name) => join(gitDir, name)),
      join(dirname(commonDir), "node_modules"),
    ],
    ...(signal === undefined ? {} : { signal }),
  });
  if (status === "cancelled") throw new GitError("failed", "git was stopped before it had ended");
  return { code: status, output };
}

/** What commits are made of, and the stash, which tools that look at staged files only put the rest into. */
const OPEN = ["objects", "lfs", "refs", "logs"];
/** What other work trees stand on, within those. */
const KEPT = [
  "objects/info",
  ...["heads", "tags", "remotes", "notes", "replace", "anneal"].flatMap((name) => [
    `refs/${name}`,
    `logs/refs/${name}`,
  ]),
  "logs/HEAD",
];
const KEPT_OF_TREE = ["gitdir", "commondir", "config.worktree"];

/** Nothing, where there is nothing at a path. */
function real(path: string): string[] {
  try {
    return [realpathSync(path)];
  } catch {
    return [];
  }
}
