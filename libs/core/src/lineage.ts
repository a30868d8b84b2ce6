import type { CompleteReport, Finding, Origin, PassRule, TrackedFinding } from "@anneal/types";
import { fingerprint, identityKey, inLineOrder, normalise, withoutSnippetKey } from "./fingerprint.ts";
import { absent, awaitsRuling } from "./silence.ts";
import { pairBySimilarity, saysTheSame } from "./similarity.ts";
import { atLeast } from "./words.ts";

interface Regions {
  file: string;
  ranges: [number, number][];
}

/** One review, as seen by the ledger of findings. */
export interface Observation {
  round: number;
  head: string;
  report: CompleteReport;
  /** Open findings whose code still stands at this head. */
  standing: readonly string[];
  /** Lines that the whole change touches; empty when not known. */
  regions: readonly Regions[];
  /** New path by old path, since the round before. */
  renames: Readonly<Record<string, string>>;
  /** Lines that the latest fix touched. */
  lastFix: { round: number; regions: readonly Regions[] } | undefined;
  /** Carried unless told. */
  earlierFindings?: PassRule["earlierFindings"];
  /** Whether the reviewer lets the change through; a reviewer without a word of its own does, unless told. */
  approves?: boolean;
}

/** Carries the findings of a loop over one more review: matched ones keep their identity. */
export function track(ledger: readonly TrackedFinding[], seen: Observation): TrackedFinding[] {
  const continued = match(ledger, seen);
  const now = new Map([...continued].map(([index, was]) => [was, seen.report.findings[index]]));
  const keeps = dispositionKeeper(ledger, seen);
  const earlier = ledger.map((entry, index) => {
    const finding = now.get(index);
    if (finding === undefined) return absent(entry, seen);
    return seenAgain(entry, finding, seen, keeps(entry, finding));
  });
  const names = namer(ledger);
  const originOf = originFinder(seen);
  const fresh = inLineOrder(seen.report.findings).flatMap((index) => {
    const finding = seen.report.findings[index];
    return finding === undefined || continued.has(index)
      ? []
      : [firstSeen(finding, names(finding), originOf(finding), seen.round)];
  });
  return [...earlier, ...fresh];
}

/** The findings that still ask for something. */
export function openFindings(ledger: readonly TrackedFinding[]): TrackedFinding[] {
  return ledger.filter((entry) => entry.disposition.kind === "open");
}

/** Fingerprints of the open findings whose code is unchanged: what a reviewer passed over, not what was fixed. */
export function standing(
  ledger: readonly TrackedFinding[],
  read: (file: string) => string | null,
  touched: ReadonlySet<string>,
): string[] {
  const stands = ({ finding }: TrackedFinding): boolean => {
    if (finding.file === undefined) return false;
    const snippet = normalise(finding.snippet ?? "");
    if (snippet === "") return !touched.has(finding.file);
    return normalise(read(finding.file) ?? "").includes(snippet);
  };
  return ledger
    .filter(awaitsRuling)
    .filter(stands)
    .map((entry) => entry.fingerprint);
}

/** Index of a finding in the report → index of the ledger entry that it continues. */
function match(ledger: readonly TrackedFinding[], seen: Observation): Map<number, number> {
  const pairs = new Map<number, number>();
  const { findings } = seen.report;
  const pair = (
    byNow: (f: Finding) => string | undefined,
    byThen: (f: Finding) => string | undefined,
    unique: boolean,
  ) => {
    const now = group(findings, (i) => !pairs.has(i), byNow);
    const taken = new Set(pairs.values());
    const then = group(
      ledger.map((e) => e.finding),
      (i) => !taken.has(i),
      byThen,
    );
    for (const [key, indices] of now) {
      const candidates = then.get(key) ?? [];
      if (unique && (indices.length !== 1 || candidates.length !== 1)) continue;
      for (const [n, index] of indices.entries()) {
        const candidate = candidates[n];
        if (candidate !== undefined) pairs.set(index, candidate);
      }
    }
  };
  const renamed = (f: Finding) => identityKey(f, seen.renames[f.file ?? ""] ?? f.file);
  pair((f) => identityKey(f), renamed, false);
  // The same code in another file is the same finding moved, where nothing else could be meant.
  pair(
    (f) => identityKey(f, "*"),
    (f) => identityKey(f, "*"),
    true,
  );
  const open = new Set(pairs.values());
  for (const [now, then] of pairBySimilarity(
    findings.map((f, i) => (pairs.has(i) || identityKey(f) !== undefined ? undefined : f)),
    ledger.map((e, i) => (open.has(i) || !isWorded(e) ? undefined : e.finding)),
  )) {
    pairs.set(now, then);
  }
  return pairs;
}

/** What only words tell apart. A secret that a push was held for is a place in a commit: no review speaks of that. */
function isWorded({ finding, heldIn }: TrackedFinding): boolean {
  return heldIn === undefined && identityKey(finding) === undefined;
}

function group(
  findings: readonly Finding[],
  free: (index: number) => boolean,
  by: (finding: Finding) => string | undefined,
): Map<string, number[]> {
  const groups = new Map<string, number[]>();
  for (const index of inLineOrder(findings)) {
    const finding = findings[index];
    const key = finding === undefined || !free(index) ? undefined : by(finding);
    if (key === undefined) continue;
    const found = groups.get(key);
    if (found === undefined) groups.set(key, [index]);
    else found.push(index);
  }
  return groups;
}

function seenAgain(entry: TrackedFinding, finding: Finding, seen: Observation, keep: boolean): TrackedFinding {
  const path = seen.renames[entry.finding.file ?? ""] ?? entry.finding.file;
  const lifecycle =
    entry.disposition.kind === "fixed"
      ? "regressed"
      : path === finding.file && path === entry.finding.file
        ? "persisting"
        : "moved";
  const { refutation: _, ...rest } = entry;
  return {
    ...rest,
    finding,
    lifecycle,
    disposition: keep ? entry.disposition : { kind: "open" },
    lastRound: seen.round,
  };
}

/**
 * Whether a decision still holds for the finding as it is reported now. It was made about this code in this file, at most
 * this bad; and among several equal snippets it only holds while it is certain which one was meant.
 */
function dispositionKeeper(
  ledger: readonly TrackedFinding[],
  seen: Observation,
): (entry: TrackedFinding, now: Finding) => boolean {
  const pathNow = (f: Finding) => seen.renames[f.file ?? ""] ?? f.file;
  const before = group(
    ledger.map((e) => e.finding),
    (i) => ledger[i]?.disposition.kind !== "fixed",
    (f) => identityKey(f, pathNow(f)),
  );
  const after = group(
    seen.report.findings,
    () => true,
    (f) => identityKey(f),
  );
  return (entry, now) => {
    const { kind } = entry.disposition;
    if (kind === "open") return true;
    if (CLOSED_BY_REVIEWS.has(kind) || !atLeast(entry.finding.severity, now.severity)) return false;
    const key = identityKey(entry.finding, pathNow(entry.finding));
    if (key === undefined || identityKey(now) !== key) return false;
    // Without a rule's name, one line can hold two different defects: a decision about one is none about the other.
    if (now.rule === undefined && !saysTheSame(entry.finding, now)) return false;
    const were = (before.get(key) ?? []).map((i) => ledger[i]);
    const are = (after.get(key) ?? []).map((i) => seen.report.findings[i]?.line);
    const alike = were.every((one) => one?.disposition.kind === kind);
    return alike || (were.length === are.length && were.every((one, i) => one?.finding.line === are[i]));
  };
}

/** What a reviewer closed, a reviewer reopens. */
const CLOSED_BY_REVIEWS: ReadonlySet<TrackedFinding["disposition"]["kind"]> = new Set([
  "fixed",
  "refuted",
  "passed-over",
]);

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

function firstSeen(finding: Finding, name: string, origin: Origin, round: number): TrackedFinding {
  return {
    fingerprint: name,
    finding,
    lifecycle: "new",
    origin,
    disposition: { kind: "open" },
    firstRound: round,
    lastRound: round,
  };
}

function originFinder({ round, regions, lastFix }: Observation): (finding: Finding) => Origin {
  const ofChange = toucher(regions);
  const fix = round > 1 && lastFix !== undefined ? { round: lastFix.round, touches: toucher(lastFix.regions) } : null;
  return (finding) => {
    if (fix?.touches(finding) === true) return { kind: "fix", round: fix.round };
    const known = regions.length > 0 && finding.file !== undefined && finding.line !== undefined;
    return known && !ofChange(finding) ? { kind: "pre-existing" } : { kind: "change" };
  };
}

/** Says of any number of findings whether they stand in these regions. */
function toucher(regions: readonly Regions[]): (finding: Finding) => boolean {
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
