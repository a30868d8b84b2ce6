import type { Finding } from "@anneal/types";

/** How far a line may have moved since the review and still be taken for the one that was reported. */
const NEAR = 50;

/** A finding with the line where its snippet stands now, or the reason why that is not certain. */
export type Located = { finding: Finding; line: number } | { finding: Finding; reason: string };

/**
 * Finds each finding's line by its text. It is certain only when every line with that text is a reported one:
 * then no line that nobody reported can be touched, not even by a second run.
 */
export function locate(findings: Finding[], lines: string[]): Located[] {
  const taken = new Set<number>();
  return findings.map((finding) => {
    const { snippet, line: reported } = finding;
    if (!snippet || snippet.includes("\n")) return { finding, reason: "it has no single line to look for" };
    const places = lines.flatMap((text, index) => (text === snippet ? [index + 1] : []));
    const claims = findings.filter((other) => other.snippet === snippet && other.rule === finding.rule).length;
    if (places.length === 0) return { finding, reason: "the reported line is no longer there" };
    if (places.length !== claims) return { finding, reason: "the same line occurs several times" };
    const line = places.find(
      (place) => !taken.has(place) && (reported === undefined || Math.abs(place - reported) <= NEAR),
    );
    if (line === undefined) return { finding, reason: "the line is too far from where it was reported" };
    taken.add(line);
    return { finding, line };
  });
}
