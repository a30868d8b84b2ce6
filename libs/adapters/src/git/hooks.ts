import { join } from "node:path";
import { guardGit, strayed } from "../sandbox/git-guard.ts";
import { runMark } from "../sandbox/leftovers.ts";
import type { Place } from "./place.ts";
import { runGit } from "./run.ts";

const HOOK_OUTPUT_LIMIT = 20_000;

/** What a hook said when it refused, or null where it agreed or does not exist. */
export async function hookRefusal(
  place: Place,
  hook: string[],
  signal: AbortSignal | undefined,
): Promise<string | null> {
  const mark = runMark(place.root);
  // Hooks run tests, which are what an agent wrote.
  const guard = guardGit(place.root, "pointer");
  const led: string[] = [];
  const result = await runGit({
    cwd: place.root,
    args: ["hook", "run", "--ignore-missing", ...hook],
    env: { GIT_INDEX_FILE: join(place.gitDir, "index"), GIT_EDITOR: ":", ...mark.env },
    config: "own",
    mark: mark.text,
    signal,
  }).finally(() => led.push(...guard.putBack()));
  if (led.length > 0) return `the ${hook[0]} hook ${strayed(led)}`;
  if (result.code === 0) return null;
  const said = `${result.stdout.toString("utf8")}${result.stderr}`.trim().slice(0, HOOK_OUTPUT_LIMIT);
  return said === "" ? `the ${hook[0]} hook failed with exit code ${result.code}` : said;
}
