import { bySettings } from "../../read/settings/known-settings.ts";
import type { RepoLocation } from "../../run/repo-location.ts";
import { runGit } from "../../run/run.ts";

/** What git's settings say about commits, by the settings that hooks run with. */
export interface CommitSettings {
  isSigning: boolean;
  /** Whether they name the folder of the hooks. */
  namesHooksFolder: boolean;
  /** Whether they name programs that are hooks as well, or could: git itself has to find those. */
  namesHooks: boolean;
}

export function commitSettings(location: RepoLocation): Promise<CommitSettings> {
  return bySettings(location, "commit settings", () => asked(location));
}

const NAMES = "^(core\\.hookspath|hook\\..*|commit\\.gpgsign)$";
/** How git writes yes; a name without a value says yes, too. */
const YES = /^(?:true|yes|on|[+-]?[1-9]\d*[kmg]?)$/i;

async function asked({ root }: RepoLocation): Promise<CommitSettings> {
  const { code, stdout } = await runGit({
    cwd: root,
    args: ["config", "--null", "--get-regexp", NAMES],
    config: "own",
  });
  // Git ends with 1 where nothing is set.
  if (code === 1) return { isSigning: false, namesHooksFolder: false, namesHooks: false };
  const entries = stdout.toString("utf8").split("\0").filter(Boolean);
  const names = entries.map((entry) => entry.split("\n", 1)[0] ?? "");
  const signing = entries.findLast((entry) => /^commit\.gpgsign(?:\n|$)/.test(entry));
  const [, value] = signing?.split("\n") ?? [];
  return {
    isSigning: signing !== undefined && (value === undefined || YES.test(value.trim())),
    namesHooksFolder: names.includes("core.hookspath"),
    namesHooks: code !== 0 || names.some((name) => name.startsWith("hook.")),
  };
}
