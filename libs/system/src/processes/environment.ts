import { delimiter, isAbsolute } from "node:path";

const KEPT = ["PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "TMPDIR", "LANG", "LC_ALL", "TZ", "SystemRoot"];

/** What a program needs to run at all; no keys, no tokens. */
export function scrubbedEnvironment(from: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const kept = Object.fromEntries(KEPT.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])));
  return kept.PATH === undefined ? kept : { ...kept, PATH: absoluteOnly(kept.PATH) };
}

/** A folder such as `.` would be one of the tree that the program works in, and its programs those that are judged. */
function absoluteOnly(path: string): string {
  return path.split(delimiter).filter(isAbsolute).join(delimiter);
}
