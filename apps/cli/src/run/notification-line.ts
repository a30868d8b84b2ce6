import { featureStatus, unjudgedMark } from "@anneal/core";
import { itemOf, type LoopNotification, progressOf } from "@anneal/engine/project";
import { counted } from "../project/output.ts";
import { DELIVERY, doingNow, standsAt } from "../project/words.ts";
import { harmlessLine, type Paint } from "../style.ts";

/** What is worth a line of its own about an event, or null. */
export function notificationLine({ item, event, state, policy }: LoopNotification, paint: Paint): string | null {
  const { maxRounds, round } = progressOf(policy, state);
  const then = andThen(item, state);
  switch (event.type) {
    case "loop-started":
      return `starts under ${policy.name}`;
    case "intended": {
      const { kind } = itemOf(item);
      const what = doingNow(state, kind);
      if (kind === "branch" && DELIVERY.includes(event.stage)) return null;
      if (event.stage === "validating" || event.stage === "committing") return null;
      // A merge is decided, then made: one line for both.
      if (state.stage === "merging") return state.merge === null ? paint("dim", what) : null;
      return paint(
        "dim",
        `${what} (round ${round}/${maxRounds}${event.attempt > 1 ? `, attempt ${event.attempt}` : ""})`,
      );
    }
    case "committed":
      return `committed ${event.head.slice(0, 8)}`;
    case "conflict-resolved":
      return `continues with ${event.head.slice(0, 8)}, which resolves the conflict`;
    case "reviewed":
      return `${reviewed(state, event, paint)}${then}`;
    case "validated":
      if (event.result !== "failed") return null;
      return `${paint("red", "✘")} ${harmlessLine(event.findings[0]?.title ?? "the project's checks fail")}${then}`;
    case "commit-refused":
      return `${paint("red", "✘")} ${harmlessLine(event.findings[0]?.title ?? "the commit was refused")}${then}`;
    case "broke":
      return `${paint("yellow", "!")} ${event.stage} could not finish: ${harmlessLine(event.reason)}${then}`;
    case "pr-opened":
      return `pull request ${event.pr.number}: ${harmlessLine(event.pr.url)}${then}`;
    case "feedback-received": {
      const said =
        event.state !== "open" ? event.state : event.checks === "none" ? "no checks" : `checks ${event.checks}`;
      return `feedback on the pull request: ${counted(event.report.findings.length, "request")}, ${said}${then}`;
    }
    case "merged":
      if (then !== "" || event.checks?.result !== "failed") return then === "" ? null : harmlessLine(standsAt(state));
      return `${paint("red", "✘")} the checks fail after the merge: ${harmlessLine(event.checks.findings[0]?.title || "no reason given")}`;
    case "signalled":
      return `${event.signal} by ${harmlessLine(event.by)}; ${harmlessLine(standsAt(state))}`;
    case "finding-disposed":
      return `${harmlessLine(event.by)} marked the finding ${event.fingerprint.slice(0, 12)} as ${event.disposition}`;
    default:
      return then === "" ? null : harmlessLine(standsAt(state));
  }
}

/** Where an event left the loop, if it is at work no more. */
function andThen(item: string, state: LoopNotification["state"]): string {
  if (state.stage === "waiting-for-human") return `; ${harmlessLine(standsAt(state))}`;
  if (state.stage !== "ended") return "";
  if (state.outcome !== "passed") return `; ${harmlessLine(standsAt(state))}`;
  const { kind } = itemOf(item);
  return ` → ${kind === "feature" ? featureStatus(state) : kind === "ticket" ? "completed" : "passed"}`;
}

function reviewed(
  state: LoopNotification["state"],
  event: Extract<LoopNotification["event"], { type: "reviewed" }>,
  paint: Paint,
): string {
  const last = state.rounds.at(-1);
  if (last === undefined || last.head !== event.head || last.reviewedAt !== event.at) {
    const why = event.report.status === "inconclusive" ? event.report.reason : "the answer is not about this commit";
    return `${paint("yellow", "?")} the review is inconclusive: ${harmlessLine(why)}`;
  }
  if (last.verdict.result === "pass") return `${paint("green", "✔")} round ${last.number} passed${unjudgedMark(state)}`;
  if (last.verdict.result === "fail" && last.verdict.approved === true)
    return `${paint("red", "✘")} round ${last.number}: ${harmlessLine(last.verdict.reason)}`;
  const blocking = last.verdict.result === "fail" ? last.verdict.blocking : [];
  const titles = blocking.map(({ title }) => harmlessLine(title)).slice(0, 2);
  const more = blocking.length > titles.length ? ", …" : "";
  return `${paint("red", "✘")} round ${last.number} rejected, ${counted(blocking.length, "blocker")}: ${titles.join(", ")}${more}`;
}
