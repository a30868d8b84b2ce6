import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { Newest } from "../../run/newest.ts";
import type { RepoLocation } from "../../run/repo-location.ts";

type Settled = Pick<RepoLocation, "root" | "gitDir" | "commonDir">;

/** Answers of git that hang on nothing but its settings, by the question and by all that the settings say. */
const answers = new Newest<unknown>(300);

/** Asks git, or gives its earlier answer where no file of its settings has changed since. */
export async function bySettings<Answer>(
  location: Settled,
  question: string,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const said = settingsText(location);
  if (said === null) return await ask();
  const key = [question, location.root, said].join("\0");
  const known = answers.get(key);
  if (known !== undefined) return known as Answer;
  const answer = await ask();
  answers.set(key, answer);
  return answer;
}

/** Questions about committing: what a workspace goes by in that is the user's own. */
const CARRIED = ["author", "commit settings"];

/** What was answered about one repository holds for another one whose settings were made of its own. */
export function carryAnswers(from: Settled, to: Settled): void {
  const [said, saidThere] = [settingsText(from), settingsText(to)];
  if (said === null || saidThere === null) return;
  for (const question of CARRIED) {
    const known = answers.get([question, from.root, said].join("\0"));
    if (known !== undefined) answers.set([question, to.root, saidThere].join("\0"), known);
  }
}

/** All that git reads its settings from here; null where these files lead to others, which may change by themselves. */
function settingsText({ gitDir, commonDir }: Settled): string | null {
  const { GIT_CONFIG_GLOBAL, GIT_CONFIG_SYSTEM, GIT_CONFIG_NOSYSTEM, HOME, XDG_CONFIG_HOME } = process.env;
  const home = HOME ?? homedir();
  const globals =
    GIT_CONFIG_GLOBAL === undefined
      ? [join(home, ".gitconfig"), join(XDG_CONFIG_HOME || join(home, ".config"), "git/config")]
      : [GIT_CONFIG_GLOBAL];
  const system = GIT_CONFIG_NOSYSTEM === undefined ? [GIT_CONFIG_SYSTEM ?? "/etc/gitconfig"] : [];
  const files = [join(commonDir, "config"), join(gitDir, "config.worktree"), ...globals, ...system];
  const texts = files.map(textOf);
  return texts.some((text) => /\[\s*include/i.test(text)) ? null : texts.join("\0");
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
