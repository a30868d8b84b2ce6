import type { ItemRef, LoopState, NoticeKind, NotifyMessage, TrackedFinding } from "@anneal/types";
import { SEVERITIES } from "@anneal/types/scales";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { boardColumn } from "../items/feature-status.ts";
import { openFindings } from "../lineage/lineage.ts";
import { isUnreviewed } from "../loop/delivery.ts";
import { cut } from "../pull-request/words-of-others.ts";
import { sanitise } from "../text/sanitise.ts";
import { locationText, oneLine } from "../text/text.ts";
import { certificateSummary } from "../write/held-back.ts";

/** What a message is about. */
export interface NoticeAbout {
  loop: string;
  item: ItemRef;
  /** How people name the item in commands. */
  key: string;
  title: string;
  project: string;
}

const CHARS = { title: 150, line: 300 } as const;
const MOST_FINDINGS = 3;

/** What people are to be told about a loop as it stands now; null where there is nothing for them to do. */
export function noticeOf(about: NoticeAbout, state: LoopState): NotifyMessage | null {
  const kind = kindOf(about.item, state);
  if (kind === null) return null;
  const title = line(about.title, CHARS.title) || about.key;
  const { pr } = state;
  return {
    key: keyOfNotice(about.loop, kind, state),
    kind,
    project: about.project,
    item: about.key,
    title: `${HEADS[kind]}: ${title}`,
    link: pr?.url ?? null,
    summary: [...reasonOf(kind, state), ...progressOf(state), ...openOf(state)],
    command: `anneal show ${about.key}`,
    pullRequest: pr?.number ?? null,
  };
}

const HEADS: Record<NoticeKind, string> = {
  ready: "Ready for review",
  "needs-person": "Needs you",
  failed: "Failed",
};

/** Nobody is told of what a person did themselves: paused, stopped, taken over, closed. */
function kindOf(item: ItemRef, state: LoopState): NoticeKind | null {
  if (state.stage === "waiting-for-human") {
    if (state.reason === "paused") return null;
    const isReady = state.reason === "ready-for-human" || state.reason === "approval";
    return isReady && !isUnreviewed(state) ? "ready" : "needs-person";
  }
  if (state.stage !== "ended") return null;
  if (state.outcome === "failed") return "failed";
  return state.outcome === "passed" && boardColumn(item.kind, state) === "waiting_approval" ? "ready" : null;
}

/** One loop, round and reason. */
function keyOfNotice(loop: string, kind: NoticeKind, state: LoopState): string {
  const round = state.rounds.at(-1)?.number ?? 0;
  const reason = state.stage === "waiting-for-human" ? state.reason : state.stage;
  // Two holds of one round may be about different things; that it is ready is said once.
  const detail = kind !== "ready" && "detail" in state ? state.detail : "";
  return `notice:${bytesToHex(sha256(utf8ToBytes(JSON.stringify([loop, kind, round, reason, detail])))).slice(0, 24)}`;
}

function reasonOf(kind: NoticeKind, state: LoopState): string[] {
  const detail = "detail" in state ? line(state.detail) : "";
  if (kind === "ready" || detail === "") return [];
  const options = state.stage === "waiting-for-human" && state.options.length > 0 ? state.options.join(", ") : "";
  return [sentence(detail), ...(options === "" ? [] : [`You can: ${options}.`])];
}

function progressOf(state: LoopState): string[] {
  const last = state.rounds.at(-1);
  if (last === undefined) return ["No review so far."];
  const rounds = `${state.rounds.length} ${state.rounds.length === 1 ? "round" : "rounds"}`;
  const files = last.coverage.reviewed.length;
  const fixed = state.findings.filter(({ disposition }) => disposition.kind === "fixed").length;
  const open = openFindings(state.findings).length;
  const said = line(certificateSummary(last.report, last.verdict));
  return [
    `${rounds}, ${files} ${files === 1 ? "file" : "files"} reviewed, ${fixed} fixed, ${open} open.`,
    ...(said === "" ? [] : [`The last review: ${said}`]),
  ];
}

function openOf({ findings }: LoopState): string[] {
  const open = openFindings(findings);
  const sorted = SEVERITIES.flatMap((severity) => open.filter(({ finding }) => finding.severity === severity));
  const more = sorted.length - MOST_FINDINGS;
  return [...sorted.slice(0, MOST_FINDINGS).map(findingLine), ...(more > 0 ? [`… and ${more} more.`] : [])];
}

function findingLine({ finding }: TrackedFinding): string {
  const place = locationText(finding);
  return line(`${finding.severity}: ${finding.title}${place === "" ? "" : ` (${place})`}`);
}

/** Agents' and people's words on one line, without what could run. */
function line(words: string, maxChars: number = CHARS.line): string {
  return cut(oneLine(sanitise(words.slice(0, 4 * maxChars))), maxChars);
}

function sentence(text: string): string {
  const first = `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
  return /[.!?…]$/u.test(first) ? first : `${first}.`;
}
