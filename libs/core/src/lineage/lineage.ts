import type { CompleteReport, Finding, Origin, PassRule, Sighting, TrackedFinding } from "@anneal/types";
import { fingerprint, identityKey, inLineOrder, withoutSnippetKey } from "../findings/fingerprint.ts";
import { atLeast } from "../findings/severity-and-category.ts";
import {
  carriedLedger,
  continued,
  decisionKeeper,
  firstSighting,
  type RoundSeen,
  saysNearlyThat,
  seenIn,
} from "../identity/index.ts";
import { absent, awaitsRuling } from "./silence.ts";

interface Regions {
  file: string;
  ranges: [number, number][];
}

/** One review, as seen by the ledger of findings. */
export interface Observation extends RoundSeen {
  head: string;
  report: CompleteReport;
  /** Open findings whose code still stands at this head. */
  standing: readonly string[];
  /** Lines that the whole change touches; empty when not known. */
  regions: readonly Regions[];
  /** Lines that the latest fix touched. */
  lastFix: { round: number; regions: readonly Regions[] } | undefined;
  /** Carried by default. */
  earlierFindings?: PassRule["earlierFindings"];
  /** Whether the reviewer lets the change through; a reviewer without a word of its own does by default. */
  approves?: boolean;
}

/**
 * Carries the findings of a loop over one more review:
 *
 * 1. The entries of the ledger are placed where their code is at this head.
 * 2. Each of them is matched with at most one finding of this review.
 * 3. An entry with a match is seen again and keeps its identity; one without is absent.
 * 4. A finding without an entry is new, and gets a name that no entry has.
 */
export function track(ledger: readonly TrackedFinding[], seen: Observation): TrackedFinding[] {
  const placed = carriedLedger(ledger, seen);
  const matches: Matches = new Map(
    [...continued(placed, seen)].filter(([index, { finding }]) => {
      const entry = placed[index]?.entry;
      return !isMilderRemark(entry, finding, seen) && !isUntold(entry, seen);
    }),
  );
  return [...knownFindings(ledger, placed, matches, seen), ...newFindings(ledger, matches, seen)];
}

/** By the index of their entry in the ledger. */
type Matches = ReturnType<typeof continued>;

function knownFindings(
  ledger: readonly TrackedFinding[],
  placed: ReturnType<typeof carriedLedger>,
  matches: Matches,
  seen: Observation,
): TrackedFinding[] {
  const keeps = decisionKeeper(placed, seen);
  return placed.map((carried, index) => {
    const match = matches.get(index);
    if (match === undefined) return absent(carried.entry, seen);
    const wasIn = ledger[index]?.finding.file;
    const sighting = seenIn(seen, carried.codeChanged, match.match);
    const finding = seen.earlierFindings === "fresh" ? match.finding : asGrave(carried.entry, match.finding);
    // A statement that two findings are one does not repeat the decision about the first.
    const keep = match.match.by === undefined && keeps(carried, match.finding);
    return seenAgain(carried.entry, finding, { wasIn, sighting, keep });
  });
}

function newFindings(ledger: readonly TrackedFinding[], matches: Matches, seen: Observation): TrackedFinding[] {
  const names = namer(ledger);
  const originOf = originFinder(seen);
  const known = new Set([...matches.values()].map(({ finding }) => finding));
  return inLineOrder(seen.report.findings).flatMap((index) => {
    const finding = seen.report.findings[index];
    return finding === undefined || known.has(finding)
      ? []
      : [firstSeen(finding, names(finding), originOf(finding), firstSighting(finding, seen))];
  });
}

/** An approval with a lesser remark in other words has not said that the graver finding is gone: that is asked for. */
function isMilderRemark(entry: TrackedFinding | undefined, now: Finding, seen: Observation): boolean {
  const { report, approves = report.claim !== "fail", earlierFindings } = seen;
  if (entry === undefined || earlierFindings === "fresh" || !approves || !awaitsRuling(entry)) return false;
  return !atLeast(now.severity, entry.finding.severity) && !saysNearlyThat(entry.finding, now);
}

/** A fresh reviewer does not know that a fix was not to touch a file: what it says there is another finding. */
function isUntold(entry: TrackedFinding | undefined, { earlierFindings }: Observation): boolean {
  return entry?.strayed !== undefined && earlierFindings === "fresh";
}

/** What is reported again less gravely stays as grave as it was, until somebody has ruled on it. */
function asGrave(entry: TrackedFinding, now: Finding): Finding {
  const { severity, native } = entry.finding;
  if (!awaitsRuling(entry) || atLeast(now.severity, severity)) return now;
  return { ...now, severity, ...(native === undefined ? {} : { native: { ...now.native, ...native } }) };
}

/** The findings that still ask for something. */
export function openFindings(ledger: readonly TrackedFinding[]): TrackedFinding[] {
  return ledger.filter((entry) => entry.disposition.kind === "open");
}

/** Fingerprints of the open findings whose code is unchanged: what a reviewer passed over, not what was fixed. */
export function unchangedFindings(
  ledger: readonly TrackedFinding[],
  read: (file: string) => string | null,
  touched: ReadonlySet<string>,
): string[] {
  const stands = ({ finding }: TrackedFinding): boolean => {
    if (finding.file === undefined) return false;
    const snippet = withoutLayout(finding.snippet ?? "");
    if (snippet === "") return !touched.has(finding.file);
    return withoutLayout(read(finding.file) ?? "").includes(snippet);
  };
  return ledger
    .filter(awaitsRuling)
    .filter(stands)
    .map((entry) => entry.fingerprint);
}

/** What a formatter changes is no change of the code. */
function withoutLayout(code: string): string {
  return code.replace(/\s+/g, "").replace(/['`]/g, '"');
}

interface Again {
  /** The file that it was in when it was placed last. */
  wasIn: string | undefined;
  sighting: Sighting;
  /** Whether what was decided about it still holds. */
  keep: boolean;
}

function seenAgain(entry: TrackedFinding, finding: Finding, { wasIn, sighting, keep }: Again): TrackedFinding {
  const moved = wasIn !== undefined && finding.file !== undefined && wasIn !== finding.file;
  const { refutation: _, ...rest } = entry;
  return {
    ...rest,
    finding,
    lifecycle: entry.disposition.kind === "fixed" ? "regressed" : moved ? "moved" : "persisting",
    disposition: keep ? entry.disposition : { kind: "open" },
    lastRound: sighting.round,
    sightings: [...(entry.sightings ?? []), sighting],
  };
}

/** Gives fresh findings names that no entry of the ledger has; equal snippets are counted on, not tried from the start. */
function namer(ledger: readonly TrackedFinding[]): (finding: Finding) => string {
  const taken = new Set(ledger.map((entry) => entry.fingerprint));
  const next = new Map<string, number>();
  return (finding) => {
    const key = identityKey(finding) ?? withoutSnippetKey(finding);
    let occurrence = next.get(key) ?? 0;
    let name = fingerprint(key, occurrence);
    while (taken.has(name)) name = fingerprint(key, ++occurrence);
    next.set(key, occurrence + 1);
    return name;
  };
}

function firstSeen(finding: Finding, name: string, origin: Origin, sighting: Sighting): TrackedFinding {
  return {
    fingerprint: name,
    finding,
    lifecycle: "new",
    origin,
    disposition: { kind: "open" },
    firstRound: sighting.round,
    lastRound: sighting.round,
    sightings: [sighting],
  };
}

function originFinder({ round, regions, lastFix }: Observation): (finding: Finding) => Origin {
  const ofChange = toucher(regions);
  const fix = round > 1 && lastFix !== undefined ? { round: lastFix.round, touches: toucher(lastFix.regions) } : null;
  return (finding) => {
    if (fix !== null && placesOf(finding).some(fix.touches)) return { kind: "fix", round: fix.round };
    // What is gone was taken by this change, wherever the finding that tells of it stands.
    if (finding.goneAt !== undefined) return { kind: "change" };
    const known = regions.length > 0 && finding.file !== undefined && finding.line !== undefined;
    return known && !ofChange(finding) ? { kind: "pre-existing" } : { kind: "change" };
  };
}

type Place = Pick<Finding, "file" | "line" | "endLine">;

/** Where a change has to touch a file to have made a finding. */
function placesOf({ file, line, endLine, goneAt }: Finding): Place[] {
  if (goneAt === undefined) return [{ file, line, endLine }];
  // Where lines were only taken out, two diffs may each call another neighbour their place.
  return goneAt.map((gone) => ({ file, line: Math.max(1, gone - 1), endLine: gone + 1 }));
}

/** Says of any number of findings whether they stand in these regions. */
function toucher(regions: readonly Regions[]): (place: Place) => boolean {
  const files = new Map<string | undefined, [number, number][]>();
  for (const { file, ranges } of regions) if (!files.has(file)) files.set(file, joined(ranges));
  return ({ file, line, endLine = line }) => {
    const ranges = files.get(file);
    if (ranges === undefined) return false;
    if (line === undefined || endLine === undefined) return true;
    let low = 0;
    let high = ranges.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ranges[middle]?.[1] ?? 0) < line) low = middle + 1;
      else high = middle;
    }
    return (ranges[low]?.[0] ?? Number.POSITIVE_INFINITY) <= endLine;
  };
}

/** In order, and none within another, so that both their ends rise. */
function joined(ranges: readonly [number, number][]): [number, number][] {
  const all: [number, number][] = [];
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = all.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else all.push([from, to]);
  }
  return all;
}
