import { type Runner, total } from "./runner.ts";

const AT = /^test at (.*):\d+:\d+$/;

/**
 * The `spec` output of node:test: its list of failing tests at the end, by file. The list does not say which suites a test
 * is in; the same line further up does, by its indentation.
 */
export const nodeSpec: Runner = {
  failing(lines) {
    if (!lines.some((line) => /^ℹ tests \d+$/.test(line))) return null;
    const above: string[] = [];
    const seen: { line: string; suites: string[]; isGroup: boolean }[] = [];
    const names: string[] = [];
    let groups = 0;
    for (const [at, line] of lines.entries()) {
      const [, indent = "", sign, said = ""] = /^( *)([▶✖]) (.*)$/.exec(line) ?? [];
      if (sign === undefined) continue;
      const depth = indent.length / 2;
      const file = AT.exec(lines[at - 1] ?? "")?.[1];
      if (sign === "▶") above.splice(depth, above.length, nameOf(said));
      else if (file === undefined)
        seen.push({ line: line.trim(), suites: above.slice(0, depth), isGroup: above[depth] === nameOf(said) });
      else if (!/ \([\d.]+ms\) # (?:TODO|SKIP)\b/.test(said)) {
        // Both are in the same order, and the time that a test took tells it from most others of its name.
        const found = seen.findIndex((one) => one.line === line);
        const [{ suites, isGroup } = { suites: [], isGroup: false }] = found < 0 ? [] : seen.splice(found, 1);
        if (isGroup) groups += 1;
        names.push([file, ...suites, nameOf(said)].join(" > "));
      }
    }
    const failed = total(lines, /^ℹ (?:fail|cancelled) (\d+)$/);
    // A test whose subtests failed is counted, but not listed; a suite whose hook failed is listed, but not counted.
    const plausible = failed === 0 ? names.length === 0 : names.length > 0 && names.length - groups <= failed;
    return { names, account: plausible ? "complete" : "partial" };
  },
  totals: {
    counts: /^ℹ (?:pass|fail|cancelled|skipped|todo) \d+$/,
    ran: /(?:pass|fail|cancelled) (\d+)/g,
    skipped: /(?:skipped|todo) (\d+)/g,
    passes: /^\s*✔ (.*) \([\d.]+ms\)$/,
    fails: /^\s*✖ (.*) \([\d.]+ms\)$/,
    // Failures are listed once more below the counts, each under the place where it stands.
    repeats: AT,
  },
  block: { ends: /^ℹ duration_ms /, after: /^(?:\s|$|ℹ |test at |⚠ |✖ (?!\d+ problems?\b))/ },
  // The TAP of node:test has the same counts, each behind a #.
  red: /^(?:ℹ|#) fail (?:[1-9]|0\n(?:ℹ|#) cancelled [1-9])/,
};

function nameOf(said: string): string {
  return said.replace(/ \([\d.]+ms\)$/, "");
}
