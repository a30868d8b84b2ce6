import type { Finding, TrackedFinding } from "@anneal/types";
import { normalise } from "../findings/fingerprint.ts";
import { atLeast } from "../findings/severity-and-category.ts";
import { standsOnChanged } from "./carried-finding.ts";
import { linesBetween } from "./likeness.ts";
import type { Carried, RoundSeen } from "./rounds.ts";
import { saysNearlyThat, saysTheSame } from "./same-words.ts";

/** What a reviewer closed, a reviewer reopens. */
const CLOSED_BY_REVIEWS: ReadonlySet<TrackedFinding["disposition"]["kind"]> = new Set([
  "fixed",
  "refuted",
  "passed-over",
]);

/**
 * Whether a decision still holds for the finding as it is reported now. It was made about this code in this file, at most
 * this bad; and among several that say the same of equal code it only holds while it is certain which one was meant.
 */
export function decisionKeeper(
  ledger: readonly Carried[],
  seen: RoundSeen,
): (carried: Carried, now: Finding) => boolean {
  return (carried, now) => {
    const { entry, codeChanged } = carried;
    const { finding: was, disposition } = entry;
    if (disposition.kind === "open") return true;
    if (CLOSED_BY_REVIEWS.has(disposition.kind) || !atLeast(was.severity, now.severity)) return false;
    if (was.file === undefined || was.file !== now.file || !isSameDefect(was, now)) return false;
    if (sameCode(was, now)) return isCertain(carried, ledger, seen);
    // Whoever points to the line next to it shows other code; that nobody touched it says that it is the same.
    const isUntouched = codeChanged === false && standsOnChanged(now, seen) === false;
    return isUntouched && isClose(was, now) && isAlone(carried, now, ledger, seen);
  };
}

/** Without a rule's name, one line can hold two different defects: a decision about one does not hold for the other. */
function isSameDefect(was: Finding, now: Finding): boolean {
  if (now.rule !== undefined || was.rule !== undefined) return was.rule === now.rule;
  // Where much is at stake, a word or two tell one hole from another: it is asked about again.
  return saysTheSame(was, now) && (!atLeast(now.severity, "high") || saysNearlyThat(was, now));
}

function sameCode(a: Finding, b: Finding): boolean {
  const code = normalise(a.snippet ?? "");
  return code !== "" && code === normalise(b.snippet ?? "");
}

function isCertain({ entry }: Carried, ledger: readonly Carried[], { report }: RoundSeen): boolean {
  const { finding: was, disposition } = entry;
  const isRival = (one: Finding) => one.file === was.file && sameCode(one, was) && isSameDefect(was, one);
  const were = ledger.filter((one) => one.entry.disposition.kind !== "fixed" && isRival(one.entry.finding));
  if (were.every((one) => one.entry.disposition.kind === disposition.kind)) return true;
  const linesThen = were.map((one) => one.entry.finding.line ?? 0).sort((a, b) => a - b);
  const linesNow = report.findings.filter(isRival).map(({ line = 0 }) => line);
  linesNow.sort((a, b) => a - b);
  return linesThen.length === linesNow.length && linesThen.every((line, index) => line === linesNow[index]);
}

const CLOSE_LINES = 3;

function isClose(a: Finding, b: Finding): boolean {
  return (linesBetween(a, b) ?? Number.POSITIVE_INFINITY) <= CLOSE_LINES;
}

/** Nothing else that says the same stands so near that it could have been meant. */
function isAlone({ entry }: Carried, now: Finding, ledger: readonly Carried[], { report }: RoundSeen): boolean {
  const was = entry.finding;
  const isNear = (one: Finding) =>
    one.file === was.file && (isClose(one, was) || isClose(one, now)) && isSameDefect(was, one);
  return (
    report.findings.filter(isNear).length === 1 &&
    ledger.filter((one) => one.entry.disposition.kind !== "fixed" && isNear(one.entry.finding)).length === 1
  );
}
