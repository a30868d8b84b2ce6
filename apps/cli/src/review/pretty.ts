import type { ReviewedFinding, ReviewOutput, Severity } from "@anneal/types";
import { folded, harmless, harmlessLine, type Paint } from "../style.ts";
import { witnesses } from "./witnesses.ts";

const MARK = { pass: "✔ pass", fail: "✘ fail", inconclusive: "? inconclusive" } as const;
const LOOK = { pass: ["green", "bold"], fail: ["red", "bold"], inconclusive: ["yellow", "bold"] } as const;
const COLOUR = {
  critical: "magenta",
  high: "red",
  medium: "yellow",
  low: "cyan",
  info: "gray",
} as const satisfies Record<Severity, string>;

/** The result as a person reads it in a terminal: findings worst first, then the verdict. */
export function pretty(output: ReviewOutput, paint: Paint, columns: number): string {
  return [
    ...output.findings.map((finding) => `${findingText(finding, paint, columns)}\n`),
    `${paint([...LOOK[output.verdict]], MARK[output.verdict])}  ${wrapped(output.summary, columns, 2).join("\n").trimStart()}`,
    paint("dim", boundLine(output)),
    ...coverageLines(output, paint),
    ...(output.notes ?? []).flatMap((note) => wrapped(note, columns, 2).map((line) => paint("dim", line))),
    ...limits(output, paint),
    "",
  ].join("\n");
}

function findingText(finding: ReviewedFinding, paint: Paint, columns: number): string {
  const place = placeOf(finding);
  return [
    `${paint([COLOUR[finding.severity], "bold"], finding.severity.padEnd(8))} ${paint("bold", harmlessLine(finding.title))}`,
    ...(place === ""
      ? []
      : [`         ${paint("cyan", harmlessLine(place))}  ${paint("dim", finding.rule ?? finding.category)}`]),
    ...wrapped(finding.description, columns, 9),
    ...(finding.suggestion === null ? [] : wrapped(`→ ${finding.suggestion}`, columns, 9)),
    ...witnesses(finding).flatMap((line) => wrapped(line, columns, 9).map((one) => paint("dim", one))),
  ].join("\n");
}

/** Lines no longer than the terminal, broken between words and indented. */
function wrapped(text: string, columns: number, indent: number): string[] {
  const width = Math.max(20, Math.min(columns, 120) - indent - 1);
  const pad = " ".repeat(indent);
  return harmless(text)
    .split("\n")
    .flatMap((line) => folded(line, width))
    .map((line) => `${pad}${line}`);
}

function placeOf({ file, line, endLine }: ReviewedFinding): string {
  if (file === null) return "";
  if (line === null) return file;
  return endLine === null || endLine === line ? `${file}:${line}` : `${file}:${line}-${endLine}`;
}

function boundLine({ base, head, policy, reviewer, durationMs, verdict }: ReviewOutput): string {
  const who = reviewer.model === null ? reviewer.agent : `${reviewer.agent} (${reviewer.model})`;
  const took = durationMs < 1_000 ? `${Math.round(durationMs)} ms` : `${(durationMs / 1_000).toFixed(1)} s`;
  const bound = verdict === "inconclusive" ? "looked at" : "holds for";
  return `  ${bound} ${base.slice(0, 12)}...${head.slice(0, 12)} under ${policy}, reviewed by ${harmlessLine(who)} in ${took}`;
}

function coverageLines({ coverage }: ReviewOutput, paint: Paint): string[] {
  const { reviewed, skipped } = coverage;
  const files = `${reviewed.length} ${reviewed.length === 1 ? "file" : "files"} reviewed`;
  if (skipped.length === 0) return [paint("dim", `  ${files}`)];
  const shown = skipped.slice(0, 10).map(({ file, reason, excused }) => {
    const look = excused === undefined || excused === "waived" ? "yellow" : "dim";
    return paint(look, `  not reviewed: ${harmlessLine(file)} (${harmlessLine(reason)})`);
  });
  const more =
    skipped.length > 10 ? [paint("yellow", `  … and ${skipped.length - 10} more (--format json lists all)`)] : [];
  return [paint("dim", `  ${files}, ${skipped.length} not`), ...shown, ...more];
}

/** What a pass of the embedded reviewer does not mean. */
function limits({ reviewer, verdict }: ReviewOutput, paint: Paint): string[] {
  if (reviewer.agent !== "builtin" || verdict !== "pass") return [];
  return [
    paint("dim", "  builtin judges hygiene, security and test integrity; not whether the change does what was asked"),
  ];
}
