import type { ReviewedFinding, ReviewOutput, Severity } from "@anneal/types";
import { harmless, harmlessLine, type Paint } from "../style.ts";

const MARK = { pass: "✔ pass", fail: "✘ fail", inconclusive: "? inconclusive" } as const;
const LOOK = { pass: ["green", "bold"], fail: ["red", "bold"], inconclusive: ["yellow", "bold"] } as const;
const COLOUR = {
  critical: "magenta",
  high: "red",
  medium: "yellow",
  low: "cyan",
  info: "gray",
} as const satisfies Record<Severity, string>;
const ORDER: readonly Severity[] = ["critical", "high", "medium", "low", "info"];

/** The result as a person reads it in a terminal: findings worst first, then the verdict. */
export function pretty(output: ReviewOutput, paint: Paint): string {
  const findings = [...output.findings].sort((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity));
  return [
    ...findings.map((finding) => `${findingText(finding, paint)}\n`),
    `${paint([...LOOK[output.verdict]], MARK[output.verdict])}  ${harmless(output.summary).replaceAll("\n", "\n  ")}`,
    paint("dim", boundLine(output)),
    ...coverageLines(output, paint),
    ...limits(output, paint),
    "",
  ].join("\n");
}

function findingText(finding: ReviewedFinding, paint: Paint): string {
  const place = placeOf(finding);
  return [
    `${paint([COLOUR[finding.severity], "bold"], finding.severity.padEnd(8))} ${paint("bold", harmlessLine(finding.title))}`,
    ...(place === ""
      ? []
      : [`         ${paint("cyan", harmlessLine(place))}  ${paint("dim", finding.rule ?? finding.category)}`]),
    ...indented(finding.description),
    ...(finding.suggestion === null ? [] : indented(`→ ${finding.suggestion}`)),
  ].join("\n");
}

function indented(text: string): string[] {
  return harmless(text)
    .split("\n")
    .map((line) => `         ${line}`);
}

function placeOf({ file, line, endLine }: ReviewedFinding): string {
  if (file === null) return "";
  if (line === null) return file;
  return endLine === null || endLine === line ? `${file}:${line}` : `${file}:${line}-${endLine}`;
}

function boundLine({ base, head, policy, reviewer, durationMs }: ReviewOutput): string {
  const who = reviewer.model === null ? reviewer.agent : `${reviewer.agent} (${reviewer.model})`;
  const took = durationMs < 1_000 ? `${Math.round(durationMs)} ms` : `${(durationMs / 1_000).toFixed(1)} s`;
  return `  holds for ${base.slice(0, 12)}...${head.slice(0, 12)} under ${policy}, reviewed by ${harmlessLine(who)} in ${took}`;
}

function coverageLines({ coverage }: ReviewOutput, paint: Paint): string[] {
  const { reviewed, skipped } = coverage;
  const files = `${reviewed.length} ${reviewed.length === 1 ? "file" : "files"} reviewed`;
  if (skipped.length === 0) return [paint("dim", `  ${files}`)];
  const shown = skipped
    .slice(0, 10)
    .map(({ file, reason }) => paint("yellow", `  not reviewed: ${harmlessLine(file)} (${harmlessLine(reason)})`));
  const more =
    skipped.length > 10 ? [paint("yellow", `  … and ${skipped.length - 10} more (--format json lists all)`)] : [];
  return [paint("dim", `  ${files}, ${skipped.length} not`), ...shown, ...more];
}

/** What a pass of the embedded reviewer does not mean. */
function limits({ reviewer, verdict }: ReviewOutput, paint: Paint): string[] {
  if (reviewer.agent !== "builtin" || verdict === "inconclusive") return [];
  return [
    paint("dim", "  builtin judges hygiene, security and test integrity; not whether the change does what was asked"),
  ];
}
