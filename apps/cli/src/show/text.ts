import { basename, dirname } from "node:path";
import { isAtRest, isUnreviewed, REQUIREMENTS_NOT_JUDGED } from "@anneal/core";
import { checksText } from "@anneal/core/show";
import type { Severity, TrackedFinding, Verdict } from "@anneal/types";
import { counted, duration, money } from "../project/output.ts";
import { because, doing, rulingsFor } from "../project/words.ts";
import { witnesses } from "../review/witnesses.ts";
import { folded, harmless, harmlessLine, type Paint } from "../style.ts";
import type { Details, LoopDetails } from "./details.ts";

export interface ItemScreen {
  paint: Paint;
  columns: number;
  now: number;
  /** How a command names the item. */
  name: string;
}

export const SEVERITY_COLOUR = {
  critical: "magenta",
  high: "red",
  medium: "yellow",
  low: "cyan",
  info: "gray",
} as const satisfies Record<Severity, string>;

/** A feature and its loop as a person reads them. */
export function detailsText(details: Details, screen: ItemScreen): string {
  const { paint } = screen;
  const { title, id, status, damaged, dependsOn, loop } = details;
  const head = [`${paint("bold", harmlessLine(title))}  ${paint("dim", id)}`];
  if (damaged !== null) head.push(...wrapped(`damaged: ${damaged}`, screen, 2).map((line) => paint("red", line)));
  if (details.description !== "" && details.description !== title)
    head.push(...wrapped(details.description, screen, 2));
  const facts: [string, string][] = [["column", status ?? "none"]];
  if (dependsOn.length > 0) facts.push(["after", dependsOn.join(", ")]);
  if (loop === null) {
    const next = `not run yet; start it with anneal run ${screen.name}`;
    return `${[...head, "", ...facts.flatMap(fact(screen)), ...fact(screen)(["loop", next]), ...fileLines(details, screen), ...keptLines(details, screen)].join("\n")}\n`;
  }
  return `${[
    ...head,
    "",
    ...[...facts, ...loopFacts(loop, details, screen)].flatMap(fact(screen)),
    ...roundLines(loop, screen),
    ...findingLines(loop, screen),
    ...decisionLines(loop, screen),
    ...fileLines(details, screen),
    ...keptLines(details, screen),
    ...stuckLines(loop, screen),
    ...waitLines(loop, screen),
  ].join("\n")}\n`;
}

function loopFacts(loop: LoopDetails, { kind, workspace }: Details, { now }: ItemScreen): [string, string][] {
  const stands = isAtRest(loop.stage);
  const spent = [money(loop.costUsd), loop.tokens === 0 ? "" : counted(loop.tokens, "token")].filter(Boolean);
  const facts: [string, string][] = [
    ["loop", `${doing({ ...loop, kind })}, round ${loop.round}/${loop.maxRounds}`],
    ["policy", `${loop.policy} (${loop.because})`],
    [
      "branch",
      `${loop.branch ?? "none"} at ${loop.head?.slice(0, 12) ?? "no commit yet"}, from ${loop.base.slice(0, 12)}`,
    ],
    ...(workspace === null ? [] : [["works in", workspace] satisfies [string, string]]),
    ...(loop.moved === null ? [] : [["moved", loop.moved] satisfies [string, string]]),
    ...pullRequestFact(loop),
    ...documentsFact(loop),
    ["agents", agentsText(loop.agents)],
    ...judgedFact(loop),
    checksFact(loop),
    ...trustFact(loop),
    ["time", duration((stands ? loop.lastAt : now) - loop.startedAt)],
  ];
  if (spent.length > 0) facts.push(["spent", spent.join(", ")]);
  if (loop.stage === "ended" && loop.detail !== "") facts.push(["ended", `${loop.outcome}: ${loop.detail}`]);
  return facts;
}

function pullRequestFact({ pr, outcome }: LoopDetails): [string, string][] {
  if (pr === null) return [];
  const mark = outcome === "merged" ? ", NOT REVIEWED" : ", a draft, NOT REVIEWED";
  return [["pr", `${pr.number}${isUnreviewed({ pr }) ? mark : ""}: ${pr.url}`]];
}

function documentsFact({ documents }: LoopDetails): [string, string][] {
  if (documents === null) return [];
  return [
    [
      "documents",
      `commit ${documents.slice(0, 12)}, on top of the reviewed commit, adds the findings documents and nothing else`,
    ],
  ];
}

function judgedFact({ unjudged }: LoopDetails): [string, string][] {
  return unjudged === true ? [["passed", REQUIREMENTS_NOT_JUDGED]] : [];
}

function checksFact({ checks }: LoopDetails): [string, string] {
  const bound = checks.testCommand === null ? "" : " (fixed for this loop; changed settings apply to new loops)";
  return ["checks", `${checksText(checks)}${bound}`];
}

function trustFact({ unreviewed }: LoopDetails): [string, string][] {
  return unreviewed.length === 0
    ? []
    : [
        [
          "built on",
          `${unreviewed.join(", ")}, which no review passed (marked by hand, merged unreviewed, or completed only in a file)`,
        ],
      ];
}

function agentsText(agents: LoopDetails["agents"]): string {
  const names = new Set(Object.values(agents));
  if (names.size === 1) return [...names].join();
  return Object.entries(agents)
    .map(([part, name]) => `${part} ${name}`)
    .join(", ");
}

function roundLines({ rounds }: LoopDetails, screen: ItemScreen): string[] {
  const { paint } = screen;
  if (rounds.length === 0) return [];
  return [
    "",
    paint("bold", "Rounds"),
    ...rounds.flatMap(({ number, head, verdict, summary, findings, by, notSeen }) => {
      const mark = verdict.result === "pass" ? paint("green", "✔ passed") : paint("red", `✘ ${failed(verdict)}`);
      const name = by.named ?? by.agent;
      const who = by.model === null ? name : `${name} (${by.model})`;
      const line = `  ${number}  ${mark}  ${head.slice(0, 12)}  ${counted(findings.length, "finding")}  ${paint("dim", `by ${harmlessLine(who)}`)}`;
      const said = [verdict.reason, summary].filter(Boolean).join(". ");
      const gaps = notSeen.map(({ file, reason }) => `not seen by the reviewer: ${harmlessLine(file)} (${reason})`);
      return [
        line,
        ...wrapped(said, screen, 5).map((one) => paint("dim", one)),
        ...gaps.flatMap((gap) => wrapped(gap, screen, 5)).map((one) => paint("yellow", one)),
      ];
    }),
  ];
}

function failed(verdict: Verdict): string {
  return verdict.result === "fail" && verdict.approved === true ? "held back" : "rejected";
}

function findingLines({ findings }: LoopDetails, screen: ItemScreen): string[] {
  const { paint } = screen;
  if (findings.length === 0) return [];
  return ["", paint("bold", "Findings"), ...findings.flatMap((entry) => findingText(entry, screen))];
}

function findingText(
  { fingerprint, finding, lifecycle, origin, disposition, firstRound, lastRound }: TrackedFinding,
  screen: ItemScreen,
): string[] {
  const { paint } = screen;
  const place =
    finding.file === undefined ? "" : `${finding.file}${finding.line === undefined ? "" : `:${finding.line}`}  `;
  const seen = firstRound === lastRound ? `round ${firstRound}` : `rounds ${firstRound}–${lastRound}`;
  const from =
    origin.kind === "fix"
      ? `caused by the fix of round ${origin.round}`
      : origin.kind === "change"
        ? "from the change"
        : "in the code before the change";
  const open = disposition.kind === "open";
  const severity = paint(open ? SEVERITY_COLOUR[finding.severity] : "dim", finding.severity.padEnd(8));
  return [
    `  ${severity} ${paint(open ? "bold" : "dim", harmlessLine(finding.title))}`,
    `           ${paint("cyan", harmlessLine(place))}${paint("dim", `${lifecycle}, ${seen}, ${from}  ${fingerprint.slice(0, 12)}`)}`,
    ...wrapped(decided(disposition), screen, 11).map((line) => (open ? line : paint("dim", line))),
    ...witnesses(finding).flatMap((line) => wrapped(line, screen, 11).map((one) => paint("dim", one))),
  ];
}

function decided(disposition: TrackedFinding["disposition"]): string {
  switch (disposition.kind) {
    case "open":
      return "open";
    case "fixed":
      return `fixed in ${disposition.commit.slice(0, 12)}${disposition.unconfirmed === true ? ", not confirmed by a review yet" : ""}`;
    case "refuted":
      return `refuted: ${disposition.evidence}`;
    case "passed-over":
      return `closed, because the fresh review of ${disposition.head.slice(0, 12)} does not report it`;
    default:
      return `${disposition.kind} by ${disposition.by}: ${disposition.reason}`;
  }
}

function decisionLines({ decisions }: LoopDetails, screen: ItemScreen): string[] {
  const { paint } = screen;
  if (decisions.length === 0) return [];
  return [
    "",
    paint("bold", "Decisions"),
    ...decisions.flatMap(({ at, by, what, note }) => {
      const line = `  ${paint("dim", at.slice(0, 16).replace("T", " "))}  ${harmlessLine(by)}: ${what}`;
      return [line, ...(note === null ? [] : wrapped(note, screen, 20))];
    }),
  ];
}

function fileLines({ files }: Details, { paint }: ItemScreen): string[] {
  const [first] = files;
  if (first === undefined) return [];
  const folder = dirname(first);
  const names = files.map((file) => `  ${harmlessLine(basename(file))}`);
  return ["", `${paint("bold", "Files")} ${paint("dim", `in ${harmlessLine(folder)}/`)}`, ...names];
}

/** Whole lines, as they are to be copied. */
function keptLines({ kept }: Details, { paint }: ItemScreen): string[] {
  if (kept.length === 0) return [];
  const about = "earlier work that no branch contains; commit your files before git restore, which overwrites them";
  return [
    "",
    `${paint("bold", "Kept")} ${paint("dim", about)}`,
    ...kept.map(({ command }) => `  ${harmlessLine(command)}`),
  ];
}

/** What programs said, whole lines of it: nobody can decide on a name alone. */
function stuckLines({ stuckOn }: LoopDetails, screen: ItemScreen): string[] {
  const { paint } = screen;
  if (stuckOn.length === 0) return [];
  return [
    "",
    paint("bold", "What stops it"),
    ...stuckOn.flatMap(({ title, file, line, said }, at) => {
      const place = file === null ? "" : `  ${paint("cyan", harmlessLine(line === null ? file : `${file}:${line}`))}`;
      // All tests of one run come with the same words.
      const isToldBelow = said === "" || said === stuckOn[at + 1]?.said;
      const words = isToldBelow ? [] : wrapped(said, screen, 4).map((one) => paint("dim", one));
      return [`  ${harmlessLine(title)}${place}`, ...words];
    }),
  ];
}

function waitLines(loop: LoopDetails, screen: ItemScreen): string[] {
  const { paint, name } = screen;
  if (loop.stage === "ended") return [];
  const waits = loop.stage === "waiting-for-human";
  const head = waits ? `The loop waits for you: ${because(loop.reason ?? "", loop.detail)}` : "What you can do now";
  const width = Math.max(...loop.options.map(({ signal }) => signal.length)) + name.length + 12;
  return [
    "",
    ...wrapped(head, screen, 0).map((line) => paint(waits ? ["yellow", "bold"] : "bold", line)),
    ...loop.options.flatMap(({ signal, leadsTo }) => {
      const [first = "", ...rest] = wrapped(leadsTo, screen, width);
      const command = `  anneal ${signal} ${name}`.padEnd(width);
      return [`${command}${paint("dim", first.trimStart())}`, ...rest.map((line) => paint("dim", line))];
    }),
    ...rulingLines(loop, screen),
  ];
}

/** Findings that block can be ruled on: that is a way out too, and often the quickest. */
function rulingLines({ stage, reason, blocking: [first] }: LoopDetails, screen: ItemScreen): string[] {
  if (first === undefined || stage !== "waiting-for-human") return [];
  const about = "a finding with a ruling no longer blocks; once no finding blocks, the change is judged again";
  return [
    `  anneal ${rulingsFor(reason)} ${screen.name} ${first.slice(0, 12)} --reason "…"`,
    ...wrapped(about, screen, 4).map((line) => screen.paint("dim", line)),
  ];
}

const LABEL = 10;

function fact(screen: ItemScreen): (fact: [string, string]) => string[] {
  return ([label, value]) => {
    const [first = "", ...rest] = wrapped(harmlessLine(value), screen, LABEL);
    return [`  ${label.padEnd(LABEL - 3)} ${first.trimStart()}`, ...rest];
  };
}

function wrapped(text: string, { columns }: ItemScreen, indent: number): string[] {
  const width = Math.max(30, Math.min(columns, 120) - indent - 1);
  const lines = harmless(text)
    .split("\n")
    .flatMap((line) => folded(line, width));
  return lines.map((line) => `${" ".repeat(indent)}${line}`.trimEnd());
}
