import { spawnSync } from "node:child_process";
import { gitEnvironment } from "../git/environment.ts";

/** Whether a change to a file of git's settings leaves all as it was that can start programs, or lead git elsewhere. */
export function isHarmless(before: Buffer, after: Buffer): boolean {
  const [old, now] = [settingsIn(before), settingsIn(after)];
  if (old === null || now === null) return false;
  const isSame = (key: string) => JSON.stringify(old.get(key)) === JSON.stringify(now.get(key));
  const changed = [...new Set([...old.keys(), ...now.keys()])].filter((key) => !isSame(key));
  return changed.every((key) => mayChange(key, old, now));
}

/** Whether the settings of a new submodule are such as git makes for it, with its files where they may be. */
export function isHarmlessInSubmodule(after: Buffer, mayHold: (workTree: string) => boolean): boolean {
  const now = settingsIn(after);
  if (now === null) return false;
  return [...now].every(([key, values]) => {
    if (key === "core.worktree") return values.every(mayHold);
    if (key === "core.bare") return values.every((value) => value === "false");
    return NEW_REPOSITORY.test(key) || mayChange(key, new Map(), now);
  });
}

type Settings = ReadonlyMap<string, readonly string[]>;

// What is not known to be harmless counts as a program: git and what extends it learn new ways to start one.
const HARMLESS = [
  /^user\.(name|email|useconfigonly)$/,
  /^branch\.(.*\.)?(?!mergeoptions$)[^.]+$/s,
  /^remote\..*\.(fetch|tagopt|prune|prunetags|skipdefaultupdate|skipfetchall|followremotehead|gh-resolved|glab-resolved)$/s,
  /^submodule\.(.*\.)?(active|branch|shallow|recurse|fetchjobs|fetchrecursesubmodules)$/s,
  /^(init\.defaultbranch|tag\.sort|rerere\.(enabled|autoupdate)|gui\.(geometry|wmstate))$/,
  /^(color|column|advice|versionsort)\./,
  /^(pull\.(rebase|ff)|push\.(default|autosetupremote|followtags))$/,
  /^fetch\.(prune|prunetags|all|parallel|recursesubmodules|writecommitgraph)$/,
  /^rebase\.(autosquash|autostash|updaterefs|stat|missingcommitscheck)$/,
  /^merge\.(ff|conflictstyle|renames|renamelimit|log|stat|autostash)$/,
  /^diff\.(algorithm|renames|renamelimit|colormoved|colormovedws|context|submodule)$/,
  /^(log\.(date|decorate|follow|abbrevcommit)|commit\.(verbose|status|cleanup))$/,
  /^gc\.(auto|autodetach|autopacklimit|pruneexpire|worktreepruneexpire|logexpiry)$/,
  /^maintenance\.(auto|autodetach|strategy|[^.]+\.(enabled|schedule|auto))$/,
  /^core\.(abbrev|autocrlf|eol|safecrlf|quotepath|whitespace|ignorecase|filemode|symlinks|precomposeunicode|logallrefupdates)$/,
  /^core\.(untrackedcache|preloadindex|commentchar|compression|longpaths)$/,
  /^lfs\.(repositoryformatversion|.*\.(access|locksverify))$/s,
];

const NEW_REPOSITORY = /^(core\.repositoryformatversion|extensions\.(objectformat|refstorage))$/;

function mayChange(key: string, old: Settings, now: Settings): boolean {
  const [, place] = /^((?:remote|submodule)\..*)\.(?:url|pushurl)$/s.exec(key) ?? [];
  if (place === undefined)
    return HARMLESS.some((one) => one.test(key)) && !(FOLLOWED.test(key) && asksHelper(now, key));
  // Another address for a name that is known leads what we push elsewhere; a new name leads nothing.
  const isIn = (settings: Settings) => settings.has(`${place}.url`) || settings.has(`${place}.pushurl`);
  return !(isIn(old) && isIn(now)) && !asksHelper(now, key);
}

const FOLLOWED = /^branch\..*\.(remote|pushremote)$/s;

/** Of such an address git takes the beginning for a program. */
function asksHelper(settings: Settings, key: string): boolean {
  return (settings.get(key) ?? []).some((value) => value.includes("::"));
}

/** As git itself reads them, since what counts is what git makes of them; null where it cannot. Nothing is included. */
function settingsIn(content: Buffer): Settings | null {
  const args = ["config", "--file", "-", "--no-includes", "--null", "--list"];
  const ran = spawnSync("git", args, { cwd: "/", input: content, env: gitEnvironment(), maxBuffer: 64_000_000 });
  if (ran.status !== 0) return null;
  const settings = new Map<string, string[]>();
  for (const one of ran.stdout.toString("latin1").split("\0").slice(0, -1)) {
    const end = one.indexOf("\n");
    const key = end < 0 ? one : one.slice(0, end);
    settings.set(key, [...(settings.get(key) ?? []), end < 0 ? "true" : one.slice(end + 1)]);
  }
  return settings;
}
