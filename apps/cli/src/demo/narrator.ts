import { openFindings } from "@anneal/core";
import type { LoopEvent, LoopState, Severity, TrackedFinding } from "@anneal/types";
import type { Paint } from "../style.ts";

const COLOUR = {
  critical: "magenta",
  high: "red",
  medium: "yellow",
  low: "cyan",
  info: "gray",
} as const satisfies Record<Severity, string>;

/** Tells the loop as it happens, step by step. */
export function narrator(paint: Paint, say: (line: string) => void) {
  const title = (text: string) => say(`\n${paint("bold", text)}`);
  const detail = (text: string) => say(`  ${text}`);
  const good = (text: string) => detail(`${paint("green", "✔")} ${text}`);
  const bad = (text: string) => detail(`${paint("red", "✘")} ${text}`);

  function finding({ finding, lifecycle }: TrackedFinding): void {
    const place = finding.file === undefined ? "" : ` ${paint("cyan", `${finding.file}:${finding.line ?? "?"}`)}`;
    const severity = paint(COLOUR[finding.severity], finding.severity.padEnd(8));
    detail(`${severity} ${finding.title}${place} ${paint("dim", lifecycle)}`);
  }

  function reviewed(state: LoopState): void {
    const round = state.rounds.at(-1);
    if (round === undefined) return;
    title(`Round ${round.number}: review of ${round.head.slice(0, 8)}`);
    for (const entry of state.findings) finding(entry);
    if (round.verdict.result === "pass") good(`pass: ${round.verdict.reason}`);
    else bad(`fail: ${round.verdict.reason}`);
  }

  return {
    opening(root: string): void {
      title("A small shop, and a branch in which an agent added discounts");
      detail(`${root} (git, branch add-discounts)`);
      detail(
        "The embedded reviewer judges every changed line; the policy is adversarial: critical, high and medium block.",
      );
    },

    step(event: LoopEvent, state: LoopState): void {
      if (event.type === "reviewed") reviewed(state);
      if (event.type === "fixed") {
        title("Fix");
        if (event.changed) good("the fixer changed what it safely can");
        else bad("the fixer changed nothing");
      }
      if (event.type === "validated" && event.result === "passed") good("the project's tests pass");
      if (event.type === "validated" && event.result === "failed") bad("the project's tests fail");
      if (event.type === "committed") good(`committed as ${event.head.slice(0, 8)}`);
      if (event.type === "broke") bad(`${event.stage} broke: ${event.reason}`);
    },

    closing(state: LoopState, kept: string | null): void {
      const left = openFindings(state.findings);
      title(state.stage === "ended" && state.outcome === "passed" ? "Converged" : "Not converged");
      detail(
        `${state.rounds.length} rounds; ${state.findings.length - left.length} findings resolved, ${left.length} left that ${left.length === 1 ? "does" : "do"} not block`,
      );
      title("What was not judged");
      detail("The embedded reviewer checks hygiene, security and test integrity on the changed lines, nothing else.");
      detail("It does not know whether a discount is computed as the shop wanted it.");
      detail("Whether requirements are met must be judged by an agent or a person.");
      title("Next, on a repository of yours");
      detail("npx anneal -C PATH/TO/REPO review   review its current branch");
      detail("npx anneal review --help            policies, formats, staged changes");
      if (kept !== null) detail(`The project is in ${kept}: try git log -p there.`);
    },
  };
}
