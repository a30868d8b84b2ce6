const KEPT = ["PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "TMPDIR", "LANG", "LC_ALL", "TZ", "SystemRoot"];

/** What a program needs to run at all; no keys, no tokens. */
export function scrubbedEnvironment(from: NodeJS.ProcessEnv = process.env): Record<string, string> {
  return Object.fromEntries(KEPT.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])));
}
