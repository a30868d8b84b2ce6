import { existsSync } from "node:fs";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { runCommand } from "../command.ts";
import { scrubbedEnvironment } from "../sandbox/environment.ts";
import { ownTemporary } from "../sandbox/temporary.ts";
import { agentIdentity } from "./agent-mark.ts";
import { gitEnvironment, onlyHere } from "./environment.ts";
import { GitError } from "./errors.ts";
import type { Place } from "./place.ts";
import { git } from "./run.ts";

export interface Ran {
  code: number | string;
  output: string;
}

export const hookVariables = ({ gitDir }: Place) => ({ GIT_INDEX_FILE: join(gitDir, "index"), GIT_EDITOR: ":" });

/** Runs a hook that is part of what is judged, shut in as the project's checks are, with refs and a stash of its own. */
export async function runJudged(
  place: Place,
  hook: string[],
  folder: string,
  { timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal | undefined },
): Promise<Ran> {
  const { root, gitDir, commonDir } = place;
  const own = { ...onlyHere(root), ...hookVariables(place), ...agentIdentity(root) };
  const env = gitEnvironment(own, scrubbedEnvironment());
  // Inside, the user's own settings are not there to say where hooks lie.
  const args = ["--no-pager", "-c", `core.hooksPath=${folder}`, "hook", "run", "--ignore-missing", ...hook];
  const refs = await refsOfItsOwn(place);
  const real = (await readdir(commonDir)).filter((name) => !OPEN.includes(name) && !isReplaced(name));
  try {
    const { status, output } = await runCommand(["git", ...args], {
      cwd: root,
      timeoutMs,
      env: Object.fromEntries(
        Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
      ),
      sandbox: "auto",
      standIns: { [commonDir]: refs },
      writableFolders: [...OPEN.map((name) => join(commonDir, name)), gitDir],
      readable: [
        ...[...real, "objects/info"].map((name) => join(commonDir, name)),
        ...KEPT_OF_TREE.map((name) => join(gitDir, name)),
        join(dirname(commonDir), "node_modules"),
      ],
      ...(signal === undefined ? {} : { signal }),
    });
    if (status === "cancelled") throw new GitError("failed", "git was stopped before it had ended");
    return { code: status, output };
  } finally {
    await rm(refs, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** What commits are made of. */
const OPEN = ["objects", "lfs"];
const KEPT_OF_TREE = ["gitdir", "commondir", "config.worktree"];

/** The lock of somebody else's git would never go away inside. */
function isReplaced(name: string): boolean {
  return ["refs", "logs", "packed-refs"].includes(name) || name.endsWith(".lock");
}

/**
 * A folder to stand in for that of git: all refs but the stash, where they are now. Tools put away in a stash what is not staged,
 * for which git locks the branch as well; neither gets out, and what a person has put away is not theirs to take.
 */
async function refsOfItsOwn({ root, commonDir }: Place): Promise<string> {
  const folder = await ownTemporary("git");
  // No folder can be made in its place: files that LFS put there would be lost.
  if (!existsSync(join(commonDir, "lfs"))) await writeFile(join(folder, "lfs"), "");
  const listed = await git({ cwd: root, args: ["for-each-ref", "--format=%(objectname) %(refname) %(symref)"] });
  const refs = listed.split("\n").flatMap((line) => {
    const [id, name, leadsTo] = line.split(" ");
    return id === undefined || name === undefined || name === "refs/stash" ? [] : [{ id, name, leadsTo }];
  });
  await mkdir(join(folder, "refs"));
  const plain = refs.filter(({ leadsTo }) => !leadsTo);
  await writeFile(join(folder, "packed-refs"), plain.map(({ id, name }) => `${id} ${name}\n`).join(""));
  for (const { name, leadsTo } of refs.filter((ref) => ref.leadsTo)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), `ref: ${leadsTo}\n`);
  }
  return folder;
}
