import type { LoggedEvent } from "@anneal/engine/project";
import type { LoopEvent } from "@anneal/types";
import { counted } from "../project/output.ts";
import { harmlessLine, type Paint } from "../style.ts";

/** One event as one line: when, which loop, what, and the stage that it led to. */
export function eventLine(
  { seq, loop, stage, event }: LoggedEvent,
  { paint, ofMany }: { paint: Paint; ofMany: boolean },
): string {
  const when = new Date(event.at).toISOString().slice(0, 19).replace("T", " ");
  const which = ofMany ? `${loop}  ` : "";
  const what = `${event.type.padEnd(17)} ${harmlessLine(said(event))}`.trimEnd();
  return `${paint("dim", `${String(seq).padStart(5)}  ${when}  ${which}`)}${what}  ${paint("cyan", `→ ${stage}`)}`;
}

function said(event: LoopEvent): string {
  switch (event.type) {
    case "loop-started":
      return `${event.item.kind} ${event.item.id} under ${event.policy.name}, from ${short(event.base)}`;
    case "intended":
      return `${event.stage}${event.attempt === 1 ? "" : `, attempt ${event.attempt}`}`;
    case "abandoned":
      return event.stage;
    case "implemented":
    case "fixed":
      return `${event.changed ? "changed files" : "changed nothing"}, by ${event.by.agent}`;
    case "validated":
      return event.result;
    case "commit-prepared":
    case "merge-prepared":
      return event.plan.message.split("\n")[0] ?? "";
    case "committed":
      return short(event.head);
    case "commit-refused":
      return event.findings[0]?.title ?? "";
    case "nothing-to-commit":
      return "";
    case "reviewed":
      if (event.report.status === "inconclusive") return `inconclusive: ${event.report.reason}`;
      return `${short(event.head)}, ${counted(event.report.findings.length, "finding")}, by ${event.by.agent}`;
    case "broke":
      return `${event.stage}: ${event.reason}`;
    case "pr-opened":
      return event.pr.url;
    case "delivery-skipped":
      return event.reason;
    case "delivery-held":
      return `${event.reason}: ${event.detail}`;
    case "capped":
    case "replay-differed":
      return event.detail;
    case "feedback-received":
      return `${event.state}, ${event.checks === "none" ? "no checks" : `checks ${event.checks}`}, ${counted(event.report.findings.length, "finding")}`;
    case "merged":
      return `${short(event.commit)}${event.checks === undefined ? "" : `, checks ${event.checks.result}`}`;
    case "merge-conflicted":
      return event.files.join(", ");
    case "conflict-resolved":
      return `${short(event.head)} on ${short(event.base)}`;
    case "signalled":
      return `${event.signal} by ${event.by}${event.note === undefined ? "" : `: ${event.note}`}`;
    case "finding-disposed":
      return `${event.disposition} ${event.fingerprint.slice(0, 12)} by ${event.by}: ${event.reason}`;
  }
}

function short(commit: string): string {
  return commit.slice(0, 12);
}
