import type { CompleteReport, Finding, PassRule } from "@anneal/types";
import { blocks } from "../findings/blocking.ts";
import { headline } from "../read/answer/headline.ts";

const UNMET = "unmet-requirement";

/**
 * The report with a finding for each requirement that it calls unmet, so that the fixer gets it. It is `high`, which blocks at
 * every threshold but `critical`: there it is critical, which it is not elsewhere, as a critical finding is never published.
 */
export function withUnmet(pass: Pick<PassRule, "blocksAt">, report: CompleteReport): CompleteReport {
  const { compliance, findings } = report;
  const severity = pass.blocksAt === "critical" ? "critical" : "high";
  const unmet = (compliance?.unmet ?? [])
    .filter((requirement) => !findings.some((finding) => blocks(pass, finding) && isAbout(finding, requirement)))
    .map(
      (requirement): Finding => ({
        rule: UNMET,
        category: "compliance",
        severity,
        title: `Not met: ${headline(requirement)}`,
        description: requirement,
      }),
    );
  return unmet.length === 0 ? report : { ...report, findings: [...findings, ...unmet] };
}

/** Whether a finding is a requirement that this report lists as met, and not as unmet too. */
export function isMet({ rule, description }: Finding, { compliance }: CompleteReport): boolean {
  if (rule !== UNMET || compliance === undefined) return false;
  const names = (requirements: readonly string[]) => requirements.some((one) => plain(one) === plain(description));
  return names(compliance.met) && !names(compliance.unmet);
}

/** Whether a reviewer's own finding says in the same words that a requirement is not met. */
function isAbout({ rule, category, title, description }: Finding, requirement: string): boolean {
  if (category !== "compliance") return false;
  if (rule === UNMET) return plain(description) === plain(requirement);
  const said = new Set(`${plain(title)} ${plain(description)}`.split(" "));
  const wanted = plain(requirement).split(" ");
  return wanted.every((word) => said.has(word));
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
