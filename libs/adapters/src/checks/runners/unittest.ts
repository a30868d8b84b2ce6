import { counted, type Runner, total } from "./runner.ts";

const RAN = /^Ran \d+ tests? in [\d.]+s$/;
const HEADING = /^(?:FAIL|ERROR|UNEXPECTED SUCCESS): (\S.*)$/;
/** What stands above a heading; unexpected successes are listed under one line. */
const ABOVE = /^(?:={70}|UNEXPECTED SUCCESS: .*)$/;

/** Python's unittest: a headed block for each failure and error, and their counts at the end. */
export const unittest: Runner = {
  failing(lines) {
    if (!lines.some((line) => RAN.test(line))) return null;
    const names = lines.flatMap((line, at) => {
      const name = HEADING.exec(line)?.[1];
      return name !== undefined && ABOVE.test(lines[at - 1] ?? "") ? [name] : [];
    });
    const counts = lines.filter((line) => /^FAILED \(.+\)$/.test(line));
    const failed = total(counts, /(?:\(|, )failures=(\d+)/) + total(counts, /(?:\(|, )errors=(\d+)/);
    return counted(names, failed + total(counts, /(?:\(|, )unexpected successes=(\d+)/));
  },
  totals: {
    counts: /^(?:Ran \d+ tests? in |(?:OK|FAILED) \()/,
    ran: /^Ran (\d+) /g,
    skipped: /(?:skipped|expected failures)=(\d+)/g,
    ranHoldsSkipped: true,
  },
  block: { ends: RAN, after: /^(?:$|OK\b|FAILED \()/ },
  red: /^FAILED \(/,
};
